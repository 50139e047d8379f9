package dev.datachecksums.e2e.scenario;

import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.Testbeds;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A cluster with an operator in it: for a test class in a static field, for each test in an instance's. A test that fails shows what a
 * person would look at first.
 */
final class Cluster
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler {
    /** Short, so that nothing waits for a look that nobody asked for. */
    private static final String[] INTERVALS = {
        "--converting-interval=1s", "--blocked-interval=1s", "--resting-interval=1s", "--allow-external-hosts=*"
    };

    private final boolean killable;
    private @Nullable Testbed testbed;
    private @Nullable OperatorHandle operator;
    private boolean ofAll;

    private Cluster(boolean killable) {
        this.killable = killable;
    }

    /** With the operator that the environment asks for. */
    static Cluster create() {
        return new Cluster(false);
    }

    /** With one that can be killed. */
    static Cluster killable() {
        return new Cluster(true);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ofAll = true;
        open();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!ofAll) {
            open();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!ofAll) {
            close();
        }
    }

    private void open() {
        Testbed opened = Testbeds.open();
        testbed = opened;
        OperatorHandle made = killable ? Operators.killable(opened, INTERVALS) : Operators.of(opened, INTERVALS);
        operator = made;
        made.start();
    }

    private void close() {
        try {
            if (operator != null) {
                operator.close();
            }
        } finally {
            if (testbed != null) {
                testbed.close();
            }
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        System.err.println("==== " + context.getDisplayName() + ": " + failure.getMessage());
        System.err.println(testbed().dump());
        System.err.println("==== operator\n" + operator().log());
        throw failure;
    }

    Testbed testbed() {
        return Objects.requireNonNull(testbed);
    }

    OperatorHandle operator() {
        return Objects.requireNonNull(operator);
    }

    /** A server that takes connections. */
    Database create(PostgresSpec spec) {
        return new Database(testbed(), testbed().createReady(spec));
    }

    /** The same, of another shape than the usual one. */
    Database create(PostgresSpec spec, UnaryOperator<StatefulSet> shape) {
        return new Database(testbed(), testbed().create(spec, shape).awaitReady());
    }

    /** The same, run by a Deployment. */
    Database deployed(PostgresSpec spec, UnaryOperator<Deployment> shape) {
        return new Database(testbed(), testbed().createDeployment(spec, shape).awaitReady());
    }

    /** The same, with data. */
    Database filled(PostgresSpec spec, int megabytes) throws SQLException {
        return create(spec).filled(megabytes);
    }
}
