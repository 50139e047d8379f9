package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.LocalPostgresBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real server with rows, and the operator's part in a conversion by a temporary standby: the line, the stop, the start. */
final class StandbyFixture implements AutoCloseable {

    /** How the directories change places. */
    enum Way {
        ATOMIC,
        JOURNAL
    }

    static final String SLOT = "data_checksums_copy";
    static final String ROWS = "select count(*) || ' ' || sum(id) || ' ' || sum(length(word)) from kept";

    private final LocalPostgres postgres;
    private final List<AgentRun> runs = new ArrayList<>();
    private String rows;

    StandbyFixture(LocalPostgresBuilder builder) {
        this(builder.start());
    }

    /** Of a server that serves. */
    StandbyFixture(LocalPostgres serving) {
        postgres = serving;
        postgres.execute("create table kept as select id, repeat('w', 100) as word from generate_series(1, 20000) id");
        rows = String.valueOf(postgres.query(ROWS));
    }

    static StandbyFixture withoutChecksums() {
        return new StandbyFixture(LocalPostgres.builder());
    }

    LocalPostgres postgres() {
        return postgres;
    }

    Path data() {
        return postgres.dataDirectory();
    }

    /** The directory that the script keeps its copy in. */
    Path place(Way way) {
        return way == Way.ATOMIC ? data().resolveSibling(data().getFileName() + ".dck") : data().resolve("dck.copy");
    }

    AgentRun run(TestShell shell, String mode, Way way, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(Map.of("PGUSER", "postgres", "DCK_FLOOR", "1"));
        if (way == Way.JOURNAL) {
            all.put("DCK_WAY", "journal");
        }
        all.putAll(environment);
        AgentRun run = AgentRun.start(JobScript.temporaryStandby(), postgres, shell, mode, all);
        runs.add(run);
        return run;
    }

    AgentRun run(TestShell shell, String mode, Way way, FakeTools tools) {
        return run(shell, mode, way, Map.of("DCK_BINDIR", tools.directory().toString()));
    }

    /** The operator's line, and the script's word that it has seen it. */
    void arm(AgentRun run) {
        run.awaitStep("ready");
        shell("printf '\\n%s = %s\\n' " + InPlaceFixture.LOCK + " \"'x'\" >>\"$A\"");
        run.awaitStep("armed");
    }

    void armAndStop(AgentRun run) {
        arm(run);
        postgres.stop(LocalPostgres.StopMode.FAST);
    }

    /** The rest of a conversion that goes well; the server serves with checksums afterwards. */
    void switchOver(AgentRun run) {
        armAndStop(run);
        run.awaitStep("lifted");
        postgres.start();
        run.awaitEnd(0);
    }

    /** Runs a line of shell as the server's user; A is postgresql.auto.conf, D the data directory. */
    void shell(String script) {
        postgres.account()
                .run(
                        Path.of("/bin"),
                        "sh",
                        "-euc",
                        "A='" + data() + "/postgresql.auto.conf' D='" + data() + "'; " + script)
                .orThrow();
    }

    /** From here on these are the rows that have to be there. */
    void rowsAre() {
        rows = String.valueOf(postgres.query(ROWS));
    }

    /** Nothing of ours is left, the server serves in this state, and has every row. */
    void assertServes(String checksums) {
        if (!postgres.isRunning()) {
            postgres.start();
        }
        assertThat(postgres.query("show data_checksums")).isEqualTo(checksums);
        assertThat(postgres.query(ROWS)).isEqualTo(rows);
        assertThat(postgres.query("select count(*) from pg_replication_slots where slot_name = '" + SLOT + "'"))
                .isEqualTo("0");
        assertNothingLeft();
    }

    void assertNothingLeft() {
        try {
            assertThat(Files.readString(data().resolve("postgresql.auto.conf")))
                    .doesNotContainPattern("(?m)^\\s*" + InPlaceFixture.LOCK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Way way : Way.values()) {
            assertThat(Files.exists(place(way), LinkOption.NOFOLLOW_LINKS))
                    .as(place(way) + " is left")
                    .isFalse();
        }
    }

    /** Stops the server and has every page checked by pg_checksums. */
    void assertEveryPageSound() {
        postgres.stop(LocalPostgres.StopMode.FAST);
        postgres.run("pg_checksums", "--check", "-D", data().toString()).orThrow();
    }

    @Override
    public void close() {
        runs.forEach(AgentRun::close);
        postgres.account().run(Path.of("/bin"), "chmod", "-R", "u+rwX", data().toString());
        postgres.close();
    }
}
