package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.offline.Step;
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

    /** A server with a declaration, whose Job waits for another agent to end, before its checks: until {@link Database#unlock}. */
    Database preparing(String name, Object... fields) {
        Database database = create(Tools.on(PostgresSpec.named(name)));
        database.lock();
        database.declare(fields).job().awaitStep(Step.STARTED);
        return database;
    }

    /** The same, and the interlock stands: the server is not stopped before the operator may delete pods again. */
    Database armed(String name, Object... fields) {
        Database database = create(Tools.on(PostgresSpec.named(name))).flag("hold-version");
        Declaration declaration = database.declare(fields);
        declaration.job().awaitStep(Step.STARTED);
        // It has asked what it may do before it began.
        testbed().deny("delete", "pods");
        database.unflag("hold-version");
        declaration.job().awaitStep(Step.ARMED);
        assertThat(database.interlocked()).isTrue();
        return database;
    }

    /** The same, and the server is stopped, the interlocks stand, and pg_checksums runs: it waits as long as {@code hold} is there. */
    Database rewriting(String name, int megabytes, Object... fields) throws SQLException {
        Database database =
                filled(Tools.on(PostgresSpec.named(name)), megabytes).flag("hold");
        database.declare(fields);
        database.awaitFlag("running");
        return database;
    }
}
