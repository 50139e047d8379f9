package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.operator.offline.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What pg_checksums has done is in the status within two seconds. */
@Tag("twice")
class ProgressE2E {
    private static final Duration LAG = Duration.ofSeconds(2);

    @RegisterExtension
    static final Cluster CLUSTER = Cluster.create();

    private record Seen(Instant at, long bytesDone, int percent) {}

    private record Said(Instant at, long bytesDone) {}

    @Scenario
    void progressIsReportedAsTheJobSaysIt() throws Exception {
        Database database =
                CLUSTER.filled(Tools.on(PostgresSpec.named("progress")), 96).flag("slow");
        Declaration declaration = database.declare();
        declaration.job().awaitStep(Step.REWRITING);
        List<Seen> seen = new ArrayList<>();
        String log = "";
        while (declaration.status().conversion() != null) {
            DataChecksumsStatus status = declaration.status();
            ProgressStatus progress = status.progress();
            if (progress != null && progress.bytesDone() != null && progress.percent() != null) {
                seen.add(new Seen(Instant.now(), progress.bytesDone(), progress.percent()));
                if (status.phase() == Phase.REWRITING && progress.bytesDone() > 0) {
                    assertThat(progress.bytesTotal()).isPositive();
                    assertThat(progress.bytesPerSecond()).isPositive();
                    assertThat(progress.summary()).isEqualTo(progress.percent() + "%");
                }
            }
            String now = declaration.job().log();
            log = now.length() > log.length() ? now : log;
        }
        declaration.awaitConverged(DesiredState.ENABLED);

        List<Said> said = said(log);
        assertThat(said).hasSizeGreaterThan(2);
        Instant first = seen.get(0).at();
        for (Said line : said.subList(0, said.size() - 1)) {
            assertThat(seen).as("a report of %s", line).anySatisfy(s -> {
                assertThat(s.bytesDone()).isGreaterThanOrEqualTo(line.bytesDone());
                assertThat(s.at()).isBefore((line.at().isBefore(first) ? first : line.at()).plus(LAG));
            });
        }
        assertThat(seen.stream().map(Seen::percent).toList()).isSorted();
        assertThat(seen.stream().map(Seen::percent).toList()).allMatch(p -> p < 100);
    }

    private static List<Said> said(String log) throws Exception {
        List<Said> lines = new ArrayList<>();
        for (String line : log.lines().filter(l -> l.contains("\"rewriting\"")).toList()) {
            JsonNode json = new ObjectMapper().readTree(line);
            lines.add(new Said(
                    Instant.ofEpochMilli(json.get("ms").asLong()),
                    json.get("doneBytes").asLong()));
        }
        return lines;
    }
}
