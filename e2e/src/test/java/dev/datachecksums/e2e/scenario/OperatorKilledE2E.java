package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.offline.Step;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator is killed and another one started, at each step of a conversion: it is carried to its end. */
@Tag("long")
class OperatorKilledE2E {
    /** Much shorter, and four that look left no processor to what they look at. */
    private static final Duration OFTEN = Duration.ofMillis(10);

    @RegisterExtension
    final Cluster cluster = Cluster.killable();

    /** What is seen when the operator is killed. */
    enum At {
        RESTORABLE(s -> !s.now().getMetadata().getFinalizers().isEmpty()),
        RECORDED(s -> s.status().conversion() != null),
        JOB_CREATED(s -> !s.declaration().job().jobs().isEmpty()),
        JOB_STARTED(s -> s.said(Step.STARTED)),
        JOB_READY(s -> s.said(Step.READY)),
        LINE_WRITTEN(s -> s.database().interlocked()),
        ARMED(s -> s.said(Step.ARMED)),
        HELD(s -> s.database().held()),
        POD_GOING(s -> s.pod().getMetadata().getDeletionTimestamp() != null),
        STOP_RECORDED(
                s -> s.status().conversion() != null && s.status().conversion().stopped() != null),
        SERVER_STOPPED(s -> !s.there("postmaster.pid")),
        WAL_AWAY(s -> s.there("pg_wal.dck")),
        REWRITING(s -> s.database().flagged("running")),
        REWRITING_REPORTED(s -> s.status().phase() == Phase.REWRITING),
        CONVERTED(s -> s.said(Step.CONVERTED)),
        LIFTED(s -> s.said(Step.LIFTED)),
        RELEASED(s -> s.said(Step.LIFTED) && !s.database().held()),
        NEW_POD(s -> s.said(Step.CONVERTED) && s.pod().getMetadata().getDeletionTimestamp() == null),
        REPORTED(s -> s.status().lastConversion() != null);

        private final Predicate<Seen> seen;

        At(Predicate<Seen> seen) {
            this.seen = seen;
        }
    }

    private record Seen(Database database, Declaration declaration) {
        DataChecksums now() {
            return declaration.get();
        }

        DataChecksumsStatus status() {
            return declaration.status();
        }

        boolean said(Step step) {
            return declaration.job().said(step);
        }

        /** The one before it where there is none just now. */
        Pod pod() {
            return Awaitility.await()
                    .atMost(4, TimeUnit.MINUTES)
                    .until(() -> database.server().pod().orElse(null), Objects::nonNull);
        }

        boolean there(String file) {
            return Files.exists(database.files().resolve(file), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Some on a cluster, the others here: what they differ in is not the cluster, and {@code make faults} has them all. */
    static Stream<At> steps() {
        Set<At> onCluster = EnumSet.of(At.RECORDED, At.JOB_READY, At.ARMED, At.POD_GOING, At.REWRITING, At.LIFTED);
        return (Testbeds.onCluster() ? onCluster : EnumSet.complementOf(EnumSet.copyOf(onCluster))).stream();
    }

    @ParameterizedTest
    @MethodSource("steps")
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void theConversionIsCarriedToItsEnd(At at) throws Exception {
        // So much that the pod is held.
        Database database = cluster.filled(Tools.on(PostgresSpec.named("killed")), 96);
        if (at == At.REWRITING || at == At.REWRITING_REPORTED) {
            database.flag("hold");
        }
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare();
            Seen seen = new Seen(database, declaration);
            Set<Phase> over = Set.of(Phase.CONVERGED);
            Awaitility.await(at.toString())
                    .atMost(4, TimeUnit.MINUTES)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(OFTEN)
                    .until(() -> at.seen.test(seen)
                            || (seen.status().phase() != null
                                    && over.contains(seen.status().phase())));
            cluster.operator().kill();
            cluster.operator().start();
            database.unflag("hold");
            declaration.awaitConverged(DesiredState.ENABLED);
            database.server().awaitReady();
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    /** A copy that is being made goes on without an operator, and a copy that has taken over is tidied up by the next. */
    @ParameterizedTest
    @MethodSource("stepsOfACopy")
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void aCopyIsCarriedToItsEnd(Step at) throws Exception {
        Database database = cluster.filled(PostgresSpec.named("killed-copy"), 48);
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare(
                    "policy.offline.strategy", "TemporaryStandby", "policy.offline.minFreeSpace", "100Mi");
            declaration.job().awaitStep(at);
            cluster.operator().kill();
            cluster.operator().start();
            declaration.awaitConverged(DesiredState.ENABLED);
            database.server().awaitReady();
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    static Stream<Step> stepsOfACopy() {
        return Testbeds.onCluster()
                ? Stream.of(Step.HANDEDOVER)
                : Stream.of(Step.COPYING, Step.ARMED, Step.HANDEDOVER, Step.LIFTED);
    }

    /** Giving up has steps of its own. */
    @ParameterizedTest
    @MethodSource("waysBack")
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void givingUpIsCarriedToItsEnd(Back at) throws Exception {
        Database database =
                cluster.filled(Tools.on(PostgresSpec.named("back")), 96).flag("hold");
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = database.declare();
            database.awaitFlag("running");
            Seen seen = new Seen(database, declaration);
            declaration.set("suspend", true);
            Awaitility.await(at.toString())
                    .atMost(4, TimeUnit.MINUTES)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(OFTEN)
                    .until(() -> at.seen.test(seen) || seen.status().conversion() == null);
            cluster.operator().kill();
            cluster.operator().start();
            declaration.await("given up", s -> s.phase() == Phase.SUSPENDED && s.conversion() == null);
            database.server().awaitReady();
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("off");
    }

    /** What is seen when the operator is killed on the way back. */
    enum Back {
        DECIDED(s -> s.status().conversion() != null && s.status().conversion().givingUp() != null),
        JOB_GOING(s -> s.declaration().job().pods().stream()
                .anyMatch(p -> p.getMetadata().getDeletionTimestamp() != null)),
        LIFTED(s -> !s.database().interlocked()),
        RELEASED(s -> !s.database().interlocked() && !s.database().held());

        private final Predicate<Seen> seen;

        Back(Predicate<Seen> seen) {
            this.seen = seen;
        }
    }

    static Stream<Back> waysBack() {
        return Testbeds.onCluster() ? Stream.of(Back.DECIDED) : Stream.of(Back.values());
    }
}
