package dev.datachecksums.operator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.FailuresStatus;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a scrape shows is a function of what was last reported. */
class ResourceMetricsTest {
    private static final String LABELS = "{name=\"orders\",namespace=\"shop\"";

    private final PrometheusMeterRegistry registry = Registry.create();
    private final ResourceMetrics metrics = new ResourceMetrics("1.2.3");

    @BeforeEach
    void register() {
        registry.getPrometheusRegistry().register(metrics);
    }

    private List<String> ours() {
        return registry.scrape()
                .lines()
                .filter(l -> l.startsWith("datachecksums_"))
                .toList();
    }

    private void report(Reports r) {
        metrics.report(Observations.atRest().build(), r.build());
    }

    @Test
    void statesAndPhasesAreSetsOfWhichOneIsOne() {
        report(new Reports().condition("Ready", "True", "Converged"));
        assertThat(ours())
                .contains("datachecksums_phase" + LABELS + ",phase=\"Converged\"} 1.0")
                .contains("datachecksums_state" + LABELS + ",state=\"On\"} 1.0")
                .contains("datachecksums_desired_state" + LABELS + ",state=\"Enabled\"} 1.0")
                .contains("datachecksums_ready" + LABELS + "} 1.0")
                .contains("datachecksums_reason_info" + LABELS + ",reason=\"Converged\"} 1")
                .contains("datachecksums_last_outage_seconds" + LABELS + "} 4.4")
                .contains("datachecksums_last_conversion_duration_seconds" + LABELS + "} 90.0")
                .contains("datachecksums_drifted" + LABELS + "} 0.0");
        assertThat(ours())
                .filteredOn(l -> l.startsWith("datachecksums_phase"))
                .hasSize(Phase.values().length)
                .filteredOn(l -> l.endsWith(" 1.0"))
                .hasSize(1);
    }

    @Test
    void aConversionUnderWayShowsItsProgressInBaseUnits() {
        report(new Reports().converting());
        assertThat(ours())
                .contains("datachecksums_conversion_progress_ratio" + LABELS + "} 0.433")
                .contains("datachecksums_conversion_remaining_seconds" + LABELS + "} 90.0")
                .contains("datachecksums_conversion_rate_bytes_per_second" + LABELS + "} 100.0")
                .contains("datachecksums_planned_outage_seconds" + LABELS + "} 93600.0")
                .contains("datachecksums_planned_duration_seconds" + LABELS + "} 4.4")
                .anySatisfy(l -> assertThat(l)
                        .startsWith("datachecksums_outage_started_timestamp_seconds" + LABELS + "} ")
                        .satisfies(x -> assertThat(Double.parseDouble(x.substring(x.lastIndexOf(' '))))
                                .isEqualTo(Instant.parse("2026-11-30T19:58:10.250Z")
                                                .toEpochMilli()
                                        / 1000.0)));
        report(new Reports());
        assertThat(ours())
                .noneMatch(l -> l.startsWith("datachecksums_conversion_progress")
                        || l.startsWith("datachecksums_outage_started"));
    }

    @Test
    void itStandsStillWhileATryDoesAndWhileTheNextOneIsWaitedFor() {
        report(new Reports().converting().condition("Stalled", "True", "JobNotStarted"));
        assertThat(ours()).contains("datachecksums_stalled" + LABELS + ",reason=\"JobNotStarted\"} 1.0");
        report(new Reports()
                .phase(Phase.WAITING)
                .condition("Ready", "False", "BackOff")
                .attempts(1, "JobNotStarted"));
        assertThat(ours()).contains("datachecksums_stalled" + LABELS + ",reason=\"JobNotStarted\"} 1.0");
        // Blocked and Failed have metrics and alerts of their own.
        report(new Reports()
                .phase(Phase.BLOCKED)
                .condition("Stalled", "True", "Superuser")
                .blockers("Superuser", "PodReady"));
        assertThat(ours())
                .contains("datachecksums_blocker" + LABELS.replace("{", "{check=\"PodReady\",") + "} 1.0")
                .noneMatch(l -> l.startsWith("datachecksums_stalled"));
        report(new Reports()
                .phase(Phase.FAILED)
                .condition("Stalled", "True", "AttemptsExhausted")
                .attempts(3, "StrayFile"));
        assertThat(ours())
                .contains("datachecksums_failed" + LABELS + ",reason=\"StrayFile\"} 1.0")
                .contains("datachecksums_failed_tries" + LABELS + "} 3.0")
                .noneMatch(l -> l.startsWith("datachecksums_stalled"));
    }

    @Test
    void driftIsWhatWasAsDeclaredAndIsNotAnyMore() {
        report(new Reports().state(ObservedState.OFF).phase(Phase.DRIFTED));
        assertThat(ours()).contains("datachecksums_drifted" + LABELS + "} 1.0");
        report(new Reports().state(ObservedState.UNKNOWN).phase(Phase.PENDING));
        assertThat(ours()).contains("datachecksums_drifted" + LABELS + "} 0.0");
    }

    @Test
    void failuresOfAServerWithoutChecksumsAreAbsentAndNotZero() {
        report(new Reports());
        assertThat(ours()).noneMatch(l -> l.contains("checksum_failures_total"));
        metrics.report(
                Observations.atRest()
                        .server(s -> s.checksumFailures(Answer.given(List.of(
                                new ChecksumFailures(null, 1, Instant.EPOCH), new ChecksumFailures("app", 4, null)))))
                        .build(),
                new Reports()
                        .failures(new FailuresStatus(5L, "2026-11-30T19:00:00Z", List.of("(shared catalogs)", "app")))
                        .condition("CorruptionDetected", "True", "ChecksumFailures")
                        .build());
        assertThat(ours())
                .contains("datachecksums_checksum_failures_total" + LABELS + "} 5.0")
                .contains(
                        "datachecksums_database_checksum_failures_total{database=\"app\",name=\"orders\",namespace=\"shop\"} 4.0")
                .contains(
                        "datachecksums_corrupt_database{database=\"(shared catalogs)\",name=\"orders\",namespace=\"shop\"} 1.0")
                .contains("datachecksums_corruption_detected" + LABELS + "} 1.0");
    }

    @Test
    void aServerWithManyDamagedDatabasesFillsNothing() {
        List<ChecksumFailures> many = IntStream.range(0, 500)
                .mapToObj(i -> new ChecksumFailures("db" + i, 1, Instant.EPOCH))
                .toList();
        metrics.report(
                Observations.atRest()
                        .server(s -> s.checksumFailures(Answer.given(many)))
                        .build(),
                new Reports()
                        .failures(new FailuresStatus(
                                500L,
                                null,
                                many.stream()
                                        .map(f -> Objects.requireNonNull(f.database()))
                                        .toList()))
                        .condition("CorruptionDetected", "True", "ChecksumFailures")
                        .build());
        assertThat(ours()).contains("datachecksums_checksum_failures_total" + LABELS + "} 500.0");
        assertThat(ours()).filteredOn(l -> l.contains("database=")).hasSize(2 * Samples.DATABASES);
    }

    @Test
    void endsOfTriesAreCountedAndGoWithTheResource() {
        Observation o = Observations.converting().build();
        metrics.report(o, new Reports().build());
        DataChecksumsStatus done = new Reports().build();
        metrics.did(
                o,
                new Decision.Complete(
                        Observations.conversion(DesiredState.ENABLED, null, null),
                        Objects.requireNonNull(done.lastConversion())));
        metrics.did(
                o,
                new Decision.EndTry(Observations.conversion(DesiredState.ENABLED, null, null), "r", "m", true, null));
        String conversions =
                "datachecksums_conversions_total{method=\"InPlace\",name=\"orders\",namespace=\"shop\",outcome=";
        assertThat(ours())
                .contains(conversions + "\"Succeeded\"} 1.0", conversions + "\"Failed\"} 1.0")
                .contains("datachecksums_conversion_duration_seconds_sum{method=\"InPlace\"} 90.0")
                .contains(
                        "datachecksums_outage_duration_seconds_bucket{method=\"InPlace\",outcome=\"Succeeded\",le=\"3.0\"} 0")
                .contains(
                        "datachecksums_outage_duration_seconds_bucket{method=\"InPlace\",outcome=\"Succeeded\",le=\"5.0\"} 1")
                .contains("datachecksums_resources 1.0");
        metrics.forget(o.resource().uid());
        assertThat(ours()).noneMatch(l -> l.contains("orders")).contains("datachecksums_resources 0.0");
    }

    @Test
    void theDocumentedBoundsHold() {
        report(new Reports().condition("Ready", "True", "Converged"));
        assertThat(ours()).filteredOn(l -> l.contains("orders")).hasSizeLessThanOrEqualTo(SeriesCount.AT_REST);
        report(new Reports()
                .converting()
                .condition("Ready", "False", "Rewriting")
                .condition("Stalled", "True", "Rewriting"));
        assertThat(ours()).filteredOn(l -> l.contains("orders")).hasSizeLessThanOrEqualTo(SeriesCount.CONVERTING);
    }

    @Test
    void theReferenceIsGeneratedFromTheDeclarations() throws Exception {
        assertThat(Files.readString(Path.of("..").resolve(MetricsReference.FILE)))
                .as("run make crds")
                .isEqualTo(MetricsReference.text());
    }
}
