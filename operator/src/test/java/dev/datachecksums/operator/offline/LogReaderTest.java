package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogReaderTest {

    private static JobLog read(String... lines) {
        JobLog log = JobLog.EMPTY;
        for (String line : List.of(lines)) {
            log = LogReader.plus(log, line);
        }
        return log;
    }

    @Test
    void readsTheStory() {
        JobLog log = read(
                "{\"step\":\"ready\",\"ms\":1000,\"systemIdentifier\":\"7714\",\"toolVersion\":\"17.5\",\"pid\":1,\"postmasterStart\":900,\"checksums\":0}",
                "{\"step\":\"armed\",\"ms\":2000}",
                "{\"step\":\"stopped\",\"ms\":3000}",
                "{\"step\":\"rewriting\",\"ms\":3500,\"doneBytes\":10,\"totalBytes\":30}",
                "{\"step\":\"rewriting\",\"ms\":4500,\"doneBytes\":20,\"totalBytes\":30}");
        assertThat(log.ready()).contains(new JobLog.Ready("7714", Instant.ofEpochSecond(900)));
        assertThat(log.at(Step.ARMED)).contains(Instant.ofEpochMilli(2000));
        assertThat(log.at(Step.REWRITING)).contains(Instant.ofEpochMilli(4500));
        assertThat(log.last()).contains(Step.REWRITING);
        assertThat(log.bytesDone()).isEqualTo(20);
        assertThat(log.bytesTotal()).isEqualTo(30);
        assertThat(log.lifted()).contains(false);
        JobLog end = LogReader.plus(log, "{\"step\":\"done\",\"ms\":5000,\"checksums\":1}");
        assertThat(end.lifted()).contains(true);
        assertThat(end.steps()).hasSize(5);
    }

    @Test
    void readsWhyItFailedAndWhetherItLifted() {
        JobLog log = read(
                "{\"step\":\"failed\",\"ms\":1,\"reason\":\"NotClean\",\"message\":\"state is x\",\"lifted\":false}");
        assertThat(log.reason()).contains("NotClean");
        assertThat(log.message()).contains("state is x");
        assertThat(log.lifted()).contains(false);
        assertThat(read("{\"step\":\"refused\",\"ms\":1,\"reason\":\"StrayFile\",\"message\":\"m\",\"lifted\":true}")
                        .lifted())
                .contains(true);
        JobLog trouble =
                read("{\"step\":\"armed\",\"ms\":1}", "{\"step\":\"liftFailed\",\"ms\":2,\"message\":\"read-only\"}");
        assertThat(trouble.message()).contains("read-only");
        assertThat(trouble.lifted()).contains(false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pg_checksums: error: something",
                "{",
                "{\"step\":",
                "{\"ms\":5}",
                "{\"step\":\"of the future\",\"ms\":5}",
                "{\"step\":7}",
                "[]",
                "{\"step\":{\"a\":1},\"ms\":{}}",
                "sh: 12: {\"step\":\"done\""
            })
    void passesOverWhatIsNoWordOfTheScript(String line) {
        JobLog log = read("{\"step\":\"armed\",\"ms\":2000}");
        assertThat(LogReader.plus(log, line)).isSameAs(log);
    }

    @Test
    void keepsNoTextWithoutABound() {
        JobLog log = read("{\"step\":\"failed\",\"ms\":1,\"reason\":\"X\",\"message\":\"" + "y".repeat(10_000) + "\"}");
        assertThat(log.message().orElseThrow()).hasSize(2000);
    }
}
