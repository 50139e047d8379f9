package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.FailuresStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import dev.datachecksums.operator.status.Conditions.Is;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checksum failures by pg_stat_database. NULL there is absence, not zero; a reset of the statistics is no recovery, and
 * neither is switching checksums off: what was counted once stands until a person says that it was dealt with.
 */
final class Failures {

    /** On the resource: failures noticed until that time have been dealt with. */
    static final String ACKNOWLEDGED = "datachecksums.dev/failures-acknowledged";

    private static final int NAMED = 5;

    private Failures() {}

    static @Nullable FailuresStatus of(Observation o, DataChecksumsStatus before) {
        Optional<List<ChecksumFailures>> seen =
                o.server().seen().flatMap(s -> s.checksumFailures().value());
        if (seen.isEmpty()) {
            return before.failures();
        }
        FailuresStatus known = before.failures() == null ? new FailuresStatus(0L, null, null) : before.failures();
        long total = seen.get().stream().mapToLong(ChecksumFailures::count).sum();
        Optional<Instant> last = seen.get().stream()
                .map(ChecksumFailures::lastFailure)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder());
        Optional<Instant> lastKnown = Times.instant(known.lastFailureTime());
        Optional<Instant> latest = last.filter(t -> lastKnown.isEmpty() || t.isAfter(lastKnown.get()))
                .or(() -> lastKnown);
        TreeSet<String> databases = new TreeSet<>();
        addAll(databases, known.databases());
        seen.get().stream()
                .filter(f -> f.count() > 0)
                .map(f -> f.database() == null ? "(shared catalogs)" : f.database())
                .forEach(databases::add);
        return new FailuresStatus(
                Math.max(total, known.total() == null ? 0 : known.total()),
                latest.map(Times::seconds).orElse(null),
                databases.isEmpty() ? null : List.copyOf(databases));
    }

    static void condition(Observation o, Conditions c) {
        FailuresStatus f = of(o, o.status());
        String type = "CorruptionDetected";
        Long total = f == null ? null : f.total();
        if (f == null || total == null) {
            c.set(type, Is.UNKNOWN, "NotCounted", "the server counts failures only while checksums are on");
            return;
        }
        if (total == 0) {
            c.set(type, Is.FALSE, "NoFailures", "the server has counted no checksum failure");
            return;
        }
        String what = "checksum failures in " + names(f.databases()) + ", the last at " + f.lastFailureTime();
        Acknowledgement ack = Acknowledgement.of(o, ACKNOWLEDGED);
        if (ack.covers(Times.instant(f.lastFailureTime()))) {
            c.set(type, Is.FALSE, "Acknowledged", what + "; acknowledged by the annotation " + ACKNOWLEDGED);
            return;
        }
        c.set(
                type,
                Is.TRUE,
                "ChecksumFailures",
                what
                        + ": data on the disk is damaged. Keep the files as they are, find the pages in the server's log, and"
                        + " restore them from a backup or a standby (docs/runbooks/CorruptionDetected.md)"
                        + ack.complaint());
    }

    private static String names(@Nullable List<String> databases) {
        if (databases == null || databases.isEmpty()) {
            return "an unknown database";
        }
        return String.join(", ", databases.subList(0, Math.min(NAMED, databases.size())))
                + (databases.size() > NAMED ? " and " + (databases.size() - NAMED) + " more" : "");
    }

    private static void addAll(Collection<String> to, @Nullable List<String> from) {
        if (from != null) {
            to.addAll(from);
        }
    }
}
