package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.operator.offline.StandbyFixture.Way;
import dev.datachecksums.operator.postgres.LocalPostgres;
import dev.datachecksums.operator.postgres.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script goes to the pod's address, and gives its password only to whom the certificate names and the CA knows. */
class StandbyTlsIT {
    private static Path folder;
    private static TestCertificate own;
    private static TestCertificate other;
    private static StandbyFixture f;

    @BeforeAll
    static void start() throws Exception {
        folder = Files.createTempDirectory("certificates");
        own = TestCertificate.of(folder, "dns:db.internal");
        other = TestCertificate.of(folder, "dns:db.internal");
        LocalPostgres serving = own.server();
        f = new StandbyFixture(serving);
    }

    @AfterAll
    static void stop() throws Exception {
        f.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }

    private static AgentRun run(String mode, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of("PGUSER", "required", "DCK_SSLMODE", mode));
        environment.putAll(more);
        return f.run(TestShell.system(), "enable", Way.ATOMIC, environment);
    }

    @Test
    void convertsOverAConnectionThatItHasVerified() {
        AgentRun run = run("verify-full", Map.of("DCK_CERTIFIED", "db.internal", "DCK_CA", own.certificatePem()));
        run.awaitStep("ready");
        assertThat(f.postgres().query("select count(*) from pg_replication_slots"))
                .isEqualTo("1");
        run.signal("TERM");
        run.awaitFailure(143, "Stopped");
        f.assertServes("off");
    }

    @ParameterizedTest
    @CsvSource({
        "verify-ca, db.internal, other",
        "verify-full, db.internal, other",
        "verify-full, somebody.else, own",
        "require, db.internal, other",
        "disable, db.internal, own"
    })
    void saysNothingToWhomItCannotVerify(String mode, String certified, String authority) {
        TestCertificate ca = authority.equals("own") ? own : other;
        AgentRun run = run(mode, Map.of("DCK_CERTIFIED", certified, "DCK_CA", ca.certificatePem()));
        JsonNode last = run.awaitFailure(1, "Sql");
        assertThat(last.path("message").asText()).contains(mode.equals("disable") ? "no encryption" : "certificate");
        assertThat(run.steps()).doesNotContain("copying");
        f.assertServes("off");
    }

    @Test
    void withoutACaItOnlyEncrypts() {
        AgentRun run = run("require", Map.of());
        run.awaitStep("copying");
        run.signal("TERM");
        run.awaitFailure(143, "Stopped");
        f.assertServes("off");
    }
}
