package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.Step;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What may go wrong while a copy is made and takes over: no row is lost, the server serves, and nothing of the copy is left. It
 * passes on a real cluster too, where it takes three minutes.
 */
@Tag("embedded")
class StandbyFaultsE2E {
    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    private static final int MEGABYTES = 48;

    private static Database database(String name) throws SQLException {
        return CLUSTER.filled(PostgresSpec.named(name), MEGABYTES);
    }

    private static Declaration declare(Database database, Object... more) {
        Object[] fields = new Object[6 + more.length];
        System.arraycopy(
                new Object[] {
                    "policy.offline.strategy", "TemporaryStandby",
                    "policy.offline.minFreeSpace", "100Mi",
                    "policy.offline.maxCopyRate", "30Mi"
                },
                0,
                fields,
                0,
                6);
        System.arraycopy(more, 0, fields, 6, more.length);
        return database.declare(fields);
    }

    /** A client's backup keeps a ready copy from taking over, for as long as it runs. */
    private static final class HeldBack implements AutoCloseable {
        private final Connection session;

        HeldBack(Database database) throws SQLException {
            session = database.server().connect();
            try (Statement statement = session.createStatement()) {
                String version = database.server().query("show server_version_num");
                statement.execute(
                        Integer.parseInt(version) >= 150000
                                ? "select pg_backup_start('held back', true)"
                                : "select pg_start_backup('held back', true, false)");
            }
        }

        @Override
        public void close() throws SQLException {
            session.close();
        }
    }

    static Stream<Step> steps() {
        return Testbeds.onCluster()
                ? Stream.of(Step.CONVERTING, Step.ARMED, Step.HANDEDOVER, Step.SWAPPED)
                : Stream.of(Step.COPYING, Step.HANDEDOVER, Step.SWAPPED, Step.LIFTED);
    }

    @ParameterizedTest
    @MethodSource("steps")
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void theJobIsKilled(Step at) throws Exception {
        Database database = database("kill-" + at.name().toLowerCase(Locale.ROOT));
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Declaration declaration = declare(database);
            declaration.job().awaitStep(at);
            CLUSTER.testbed()
                    .killContainer(declaration.job().pod().getMetadata().getName(), ConversionJob.CONTAINER);
            declaration.awaitConverged(DesiredState.ENABLED);
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
        database.assertWhole("on");
    }

    @Scenario
    void suspendedWhileItCopies() throws Exception {
        Database database = database("copy-suspend");
        Database.Standing before = database.standing();
        Declaration declaration = declare(database, "policy.offline.maxCopyRate", "4Mi");
        declaration.job().awaitStep(Step.COPYING);
        declaration.set("suspend", true);
        DataChecksumsStatus status =
                declaration.await("suspended", s -> s.phase() == Phase.SUSPENDED && s.conversion() == null);
        assertThat(Declaration.attempts(status)).isZero();
        database.assertNothingLeft();
        assertThat(database.standing()).isEqualTo(before);
    }

    @Scenario
    void anotherStrategyAndThenDeletedWhileItIsReady() throws Exception {
        Database database = database("ready-delete");
        Database.Standing before = database.standing();
        Declaration declaration = declare(database);
        declaration.job().awaitStep(Step.COPYING);
        try (HeldBack backup = new HeldBack(database)) {
            declaration.job().awaitStep(Step.READY);
            DataChecksumsStatus ready = declaration.await("held back", s -> s.phase() == Phase.WAITING);
            assertThat(Objects.requireNonNull(ready.blockers()))
                    .extracting(b -> b.check())
                    .contains("BackupRunning");
            assertThat(Objects.requireNonNull(ready.progress()).percent()).isEqualTo(96);
            declaration.set("policy.offline.strategy", "InPlace");
            declaration.await("the copy is given up", s -> s.conversion() == null);
            database.assertNothingLeft();
            assertThat(database.standing()).isEqualTo(before);
            declaration.delete();
            declaration.awaitGone();
        }
        database.assertNothingLeft();
        assertThat(database.standing()).isEqualTo(before);
    }

    /** What is no equal of the server never takes its place. */
    @Scenario
    void aCopyThatIsNotProvenIsNotSwappedIn() throws Exception {
        Database database = database("not-proven");
        assertNotSwappedIn(database, "ProofFailed", "old directory serves", declaration -> {
            declaration.job().awaitStep(Step.COPYING);
            try (HeldBack backup = new HeldBack(database)) {
                declaration.job().awaitStep(Step.READY);
                breakControlFile(database.copy().resolve("new"));
            }
        });
        database.assertWhole("off");
    }

    /** Recovery takes a chain of WAL that ends early for the end of the WAL. */
    @Scenario
    void aCopyThatCannotReadTheLastWalIsNotSwappedIn() throws Exception {
        Database database = CLUSTER.filled(Tools.on(PostgresSpec.named("wal-broken")), MEGABYTES);
        database.flag("hold-link");
        assertNotSwappedIn(database, "ProofFailed", "old directory serves", declaration -> {
            database.awaitFlag("linking");
            String segment = Files.readString(database.copy().resolve("kept")).split(" ", -1)[0];
            change(database.copy().resolve("wal").resolve(segment), file -> file.setLength(4096));
            database.unflag("hold-link");
        });
        database.assertWhole("off");
    }

    /** Found before the server is stopped: at this rate the check of all pages takes some seconds. */
    @Scenario
    void aByteThatFlipsInTheConvertedCopyIsFound() throws Exception {
        Database database = database("byte-flipped");
        Database.Standing before = database.standing();
        String filler = database.server().query("select pg_relation_filepath('filler')");
        assertNotSwappedIn(
                database,
                "CopyBroken",
                "checksums do not hold",
                declaration -> {
                    declaration.job().awaitStep(Step.COPYCONVERTED);
                    change(database.copy().resolve("new").resolve(filler), file -> {
                        file.seek(1_000_000);
                        int there = file.read();
                        file.seek(1_000_000);
                        file.write(there ^ 1);
                    });
                },
                "policy.offline.maxCopyRate",
                "12Mi");
        // The server was never stopped for it.
        assertThat(database.standing()).isEqualTo(before);
        database.assertWhole("off");
    }

    private interface Sabotage {
        void of(Declaration declaration) throws Exception;
    }

    private static void assertNotSwappedIn(
            Database database, String reason, String words, Sabotage sabotage, Object... fields) throws Exception {
        try (AckedWriter writer = AckedWriter.start(database.server()::connect)) {
            Object[] once = Arrays.copyOf(fields, fields.length + 2);
            once[fields.length] = "policy.attempts";
            once[fields.length + 1] = 1;
            Declaration declaration = declare(database, once);
            sabotage.of(declaration);
            DataChecksumsStatus status = declaration.awaitPhase(Phase.FAILED);
            AttemptsStatus attempts = Objects.requireNonNull(status.attempts());
            assertThat(attempts.lastReason()).isEqualTo(reason);
            assertThat(attempts.lastError()).contains(words);
            assertThat(Declaration.condition(status, "Ready").status()).isEqualTo("False");
            database.server().awaitReady();
            assertThat(database.server().dataChecksums()).isEqualTo("off");
            writer.awaitMore(20, Duration.ofSeconds(30));
            writer.close();
            assertThat(writer.missing()).isEmpty();
        }
        database.assertNothingLeft();
    }

    private interface Change {
        void of(RandomAccessFile file) throws IOException;
    }

    private static void change(Path path, Change change) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            change.of(file);
        }
    }

    private static void breakControlFile(Path directory) throws IOException {
        change(directory.resolve("global/pg_control"), control -> {
            control.seek(40);
            control.write(0x5a);
        });
    }

    /** Another fills the volume: copy and slot go before the server notices. */
    @Scenario
    void theVolumeFillsWhileItCopies() throws Exception {
        Database database = database("volume-fills");
        Database.Standing before = database.standing();
        long free = Files.getFileStore(database.files()).getUsableSpace();
        long floor = free - (4L << 30);
        Declaration declaration = declare(
                database,
                "policy.offline.minFreeSpace",
                Long.toString(floor),
                "policy.offline.maxCopyRate",
                "2Mi",
                "policy.attempts",
                1);
        declaration.job().awaitStep(Step.COPYING);
        Path filler = database.files().resolveSibling("filler");
        try {
            assertThat(new ProcessBuilder("fallocate", "-l", "6G", filler.toString())
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            AttemptsStatus failed =
                    Objects.requireNonNull(declaration.awaitPhase(Phase.FAILED).attempts());
            assertThat(failed.lastReason()).isEqualTo("NoRoom");
            assertThat(failed.lastError()).contains("are to stay");
            database.assertNothingLeft();
            assertThat(database.standing()).isEqualTo(before);
        } finally {
            Files.deleteIfExists(filler);
        }
    }
}
