package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.api.Access;
import dev.datachecksums.operator.leader.Leadership;
import dev.datachecksums.operator.offline.Step;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several operators: one acts at a time, and a conversion goes on under the next one. */
@Tag("embedded")
class ReplicasOfTheOperatorE2E {
    private static final String[] FLAGS = {"--converting-interval=1s", "--blocked-interval=1s", "--resting-interval=1s"
    };

    private final EmbeddedTestbed testbed = EmbeddedTestbed.start();
    private final List<OperatorHandle> replicas = new ArrayList<>();

    /** As a Deployment rolls: a new one comes, an old one is told to stop; again and again while one conversion runs. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void aRollingUpdateMidConversionEndsWellWithOneThatActsAtATime() throws Exception {
        try (testbed) {
            start("first");
            awaitLeader("first");
            start("second");
            Database database = database("rolled");
            try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
                Declaration declaration = database.declare();
                declaration.job().awaitStep(Step.READY);
                replace("third");
                database.awaitFlag("running");
                replace("fourth");
                String id = conversion(declaration);
                replace("fifth");
                assertThat(conversion(declaration)).isEqualTo(id);
                database.unflag("hold");
                declaration.awaitConverged(DesiredState.ENABLED);
                database.server().awaitReady();
                writer.close();
                assertThat(writer.missing()).isEmpty();
            }
            assertOneAtATime();
            database.assertNothingLeft();
            database.assertWhole("on");
            // Whoever looks first takes a Lease that was given back: where that was the newest, the next to go did not
            // have it.
            assertThat(lease().getSpec().getLeaseTransitions()).isBetween(2, 3);
        } finally {
            replicas.forEach(OperatorHandle::close);
        }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whenTheOneThatActsIsKilledTheOtherGoesOn() throws Exception {
        try (testbed) {
            start("first");
            awaitLeader("first");
            start("second");
            Database database = database("orphaned");
            try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
                Declaration declaration = database.declare();
                database.awaitFlag("running");
                replicas.get(0).kill();
                database.unflag("hold");
                declaration.awaitConverged(DesiredState.ENABLED);
                database.server().awaitReady();
                writer.close();
                assertThat(writer.missing()).isEmpty();
            }
            awaitLeader("second");
            assertOneAtATime();
            database.assertNothingLeft();
            database.assertWhole("on");
        } finally {
            replicas.forEach(OperatorHandle::close);
        }
    }

    private static String conversion(Declaration declaration) {
        return Objects.requireNonNull(declaration.status().conversion()).id();
    }

    private Database database(String name) throws Exception {
        return new Database(testbed, testbed.createReady(Tools.on(PostgresSpec.named(name))))
                .filled(96)
                .flag("hold");
    }

    private void start(String name) {
        OperatorHandle replica = Operators.replica(testbed, name, FLAGS);
        replicas.add(replica);
        replica.start();
    }

    /** The oldest goes once the new one is ready. */
    private void replace(String name) {
        start(name);
        OperatorHandle oldest = replicas.remove(0);
        oldest.close();
        assertThat(oldest.running()).isFalse();
    }

    private void awaitLeader(String name) {
        Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> {
            Lease lease = lease();
            return lease != null && name.equals(lease.getSpec().getHolderIdentity());
        });
    }

    private Lease lease() {
        return testbed.client()
                .leases()
                .inNamespace(testbed.namespace())
                .withName(Leadership.NAME)
                .get();
    }

    /** Once another has begun to act, the one before never does again. */
    private void assertOneAtATime() {
        List<String> turns = new ArrayList<>();
        for (Access.Act act : testbed.access().acts()) {
            if (!act.user().equals("admin")
                    && (turns.isEmpty() || !turns.get(turns.size() - 1).equals(act.user()))) {
                turns.add(act.user());
            }
        }
        assertThat(turns).as("who acted, in order").doesNotHaveDuplicates().hasSizeGreaterThan(1);
    }
}
