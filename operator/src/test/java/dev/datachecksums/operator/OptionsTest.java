package dev.datachecksums.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.telemetry.LogFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags and variables say the same; what cannot be meant is refused with what could be. */
class OptionsTest {
    @Test
    void withoutAnythingItWatchesAllAndAsksForTheLease() {
        Options o = Options.parse(List.of(), Map.of());
        assertThat(o.namespaces()).isEmpty();
        assertThat(o.maxConcurrent()).isEqualTo(16);
        assertThat(o.resting()).isEqualTo(Duration.ofMinutes(5));
        assertThat(o.logFormat()).isEqualTo(LogFormat.TEXT);
        assertThat(o.externalHosts().entries()).isEmpty();
        assertThat(o.leaderElection()).hasValueSatisfying(c -> {
            assertThat(c.namespace()).isEmpty();
            assertThat(c.identity()).startsWith("process-");
        });
    }

    @Test
    void theVariablesAreTheFlags() {
        Map<String, String> environment = Map.of(
                "DATACHECKSUMS_WATCH_NAMESPACES", "a, b",
                "DATACHECKSUMS_MAX_CONCURRENT_RECONCILES", "3",
                "DATACHECKSUMS_RESTING_INTERVAL", "1h",
                "DATACHECKSUMS_LOG_FORMAT", "json",
                "DATACHECKSUMS_ALLOW_EXTERNAL_HOSTS", "db.example.com,.corp.example,10.0.0.7,fd00::7",
                "DATACHECKSUMS_LEADER_ELECTION_NAMESPACE", "ops",
                "POD_NAME", "operator-1",
                "POD_NAMESPACE", "system");
        Options o = Options.parse(List.of("--max-concurrent-reconciles=5"), environment);
        assertThat(o.namespaces()).containsExactlyInAnyOrder("a", "b");
        assertThat(o.maxConcurrent()).isEqualTo(5);
        assertThat(o.resting()).isEqualTo(Duration.ofHours(1));
        assertThat(o.logFormat()).isEqualTo(LogFormat.JSON);
        assertThat(o.externalHosts().entries()).hasSize(4);
        assertThat(o.leaderElection()).hasValue(new Options.Candidate("ops", "operator-1"));
    }

    @Test
    void thePodSaysWhereAndWho() {
        Options o = Options.parse(List.of(), Map.of("POD_NAME", "operator-1", "POD_NAMESPACE", "system"));
        assertThat(o.leaderElection()).hasValue(new Options.Candidate("system", "operator-1"));
        assertThat(Options.parse(List.of("--leader-election=false"), Map.of()).leaderElection())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-concurrent-reconciles=0 | is not between 1 and 1000",
                "--max-concurrent-reconciles=many | is no number",
                "--resting-interval=5 | is not a duration such as 90s",
                "--resting-interval=0s | must be more than 0",
                "--leader-election=yes | is neither true nor false",
                "--log-format=xml | is neither text nor json",
                "--allow-external-hosts=10.0.0.0/8 | 10.0.0.0/8 is no name, no address",
                "--verbose | unknown flag --verbose",
            })
    void whatCannotBeMeantIsRefused(String flag, String message) {
        assertThatThrownBy(() -> Options.parse(List.of(flag), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
