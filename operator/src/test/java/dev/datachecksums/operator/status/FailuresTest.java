package dev.datachecksums.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.FailuresStatus;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Decider;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the server counts, what is remembered of it, and how it is said. */
class FailuresTest {
    private static final Instant FIRST = Instant.parse("2026-11-30T18:00:00Z");
    private static final Instant SECOND = Instant.parse("2026-11-30T19:00:00Z");

    private static Observations on(ChecksumFailures... counted) {
        return Observations.atRest()
                .server(s -> s.checksums(ChecksumState.ON).checksumFailures(Answer.given(List.of(counted))));
    }

    private static DataChecksumsStatus report(Observations observations) {
        Observation o = observations.build();
        return StatusReport.of(o, new Decider(Gates.standard()).decide(o), Outcome.unchanged(o));
    }

    private static FailuresStatus failures(DataChecksumsStatus status) {
        return Objects.requireNonNull(status.failures());
    }

    private static StatusCondition corruption(DataChecksumsStatus status) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals("CorruptionDetected"))
                .findFirst()
                .orElseThrow();
    }

    private static ChecksumFailures of(@Nullable String database, long count, @Nullable Instant last) {
        return new ChecksumFailures(database, count, last);
    }

    @Test
    void whereNothingIsCountedNothingIsKnown() {
        DataChecksumsStatus status = report(Observations.atRest());
        assertThat(status.failures()).isNull();
        assertThat(corruption(status).status()).isEqualTo("Unknown");
        assertThat(corruption(status).reason()).isEqualTo("NotCounted");
    }

    @Test
    void noFailureIsNone() {
        DataChecksumsStatus status = report(on(of(null, 0, null), of("app", 0, null)));
        assertThat(failures(status)).isEqualTo(new FailuresStatus(0L, null, null));
        assertThat(corruption(status).status()).isEqualTo("False");
    }

    @Test
    void databaseAndTimeAreNamedAndTheSharedCatalogsToo() {
        DataChecksumsStatus status = report(on(of(null, 1, FIRST), of("app", 3, SECOND), of("other", 0, null)));
        assertThat(failures(status))
                .isEqualTo(new FailuresStatus(4L, SECOND.toString(), List.of("(shared catalogs)", "app")));
        assertThat(corruption(status).status()).isEqualTo("True");
        assertThat(corruption(status).reason()).isEqualTo("ChecksumFailures");
        assertThat(corruption(status).message()).contains("app", "(shared catalogs)", SECOND.toString());
    }

    @Test
    void aResetOfTheStatisticsIsNoRecovery() {
        DataChecksumsStatus before = report(on(of("app", 3, FIRST)));
        DataChecksumsStatus reset = report(on(of("app", 0, null)).status(before));
        assertThat(failures(reset)).isEqualTo(new FailuresStatus(3L, FIRST.toString(), List.of("app")));
        assertThat(corruption(reset).status()).isEqualTo("True");
    }

    @Test
    void afterAResetANewFailureIsNewsAllTheSame() {
        DataChecksumsStatus before = report(on(of("app", 3, FIRST)));
        DataChecksumsStatus after =
                report(on(of("app", 0, null), of("other", 1, SECOND)).status(before));
        assertThat(failures(after)).isEqualTo(new FailuresStatus(3L, SECOND.toString(), List.of("app", "other")));
    }

    @Test
    void switchingChecksumsOffIsNoRecovery() {
        DataChecksumsStatus before = report(on(of("app", 3, FIRST)));
        DataChecksumsStatus off = report(Observations.atRest().status(before));
        assertThat(failures(off).total()).isEqualTo(3);
        assertThat(corruption(off).status()).isEqualTo("True");
    }

    @Test
    void aPersonsWordEndsItUntilThereIsAnotherFailure() {
        DataChecksumsStatus known = report(on(of("app", 3, FIRST)));
        String key = Failures.ACKNOWLEDGED;
        DataChecksumsStatus dealtWith = report(on(of("app", 3, FIRST))
                .status(known)
                .annotation(key, FIRST.plusSeconds(60).toString()));
        assertThat(corruption(dealtWith).status()).isEqualTo("False");
        assertThat(corruption(dealtWith).reason()).isEqualTo("Acknowledged");
        DataChecksumsStatus again = report(on(of("app", 4, SECOND))
                .status(dealtWith)
                .annotation(key, FIRST.plusSeconds(60).toString()));
        assertThat(corruption(again).status()).isEqualTo("True");
        DataChecksumsStatus typo = report(on(of("app", 3, FIRST)).status(known).annotation(key, "yesterday"));
        assertThat(corruption(typo).status()).isEqualTo("True");
        assertThat(corruption(typo).message()).contains(key, "is not a time such as");
    }
}
