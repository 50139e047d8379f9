package dev.datachecksums.operator.telemetry;

import java.util.List;
import java.util.stream.Stream;

/**
 * Every metric of ours: what is exposed and docs/metrics.md are both made from these declarations. Labels are those besides
 * namespace and name, which all metrics of a resource have. Base units; what is not known has no series.
 */
public enum Metric {
    DESIRED_STATE(
            "datachecksums_desired_state",
            Kind.GAUGE,
            MetricUnit.STATE_SET,
            "1 for the declared state (Enabled, Disabled), 0 for the other.",
            "state"),
    STATE(
            "datachecksums_state",
            Kind.GAUGE,
            MetricUnit.STATE_SET,
            "1 for the state that the server or the volume said last (Off, On, InProgressOn, InProgressOff, Unknown), 0 for the others.",
            "state"),
    PHASE(
            "datachecksums_phase",
            Kind.GAUGE,
            MetricUnit.STATE_SET,
            "1 for the phase of the resource, 0 for the others.",
            "phase"),
    READY(
            "datachecksums_ready",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "Whether the server itself says that it is as declared: the condition Ready."),
    REASON(
            "datachecksums_reason_info",
            Kind.INFO,
            MetricUnit.BOOLEAN,
            "Always 1: the reason of the condition Ready, as kubectl get dck -o wide shows it.",
            "reason"),
    SUSPENDED("datachecksums_suspended", Kind.GAUGE, MetricUnit.BOOLEAN, "Whether spec.suspend is true."),
    DRIFTED(
            "datachecksums_drifted",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "Whether the server was as declared and is not any more, until it is again."),
    STALLED(
            "datachecksums_stalled",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "1 while a conversion is under way and stands still, or waits for its next try after one that failed; no series otherwise.",
            "reason"),
    FAILED(
            "datachecksums_failed",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "1 while all tries of this generation are used up, with the reason of the last failure; no series otherwise.",
            "reason"),
    FAILED_TRIES(
            "datachecksums_failed_tries",
            Kind.GAUGE,
            MetricUnit.NUMBER,
            "Failed tries of this generation of the spec: status.attempts.count."),
    BLOCKER(
            "datachecksums_blocker",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "1 for each check of the gate that says no now: status.blockers.",
            "check"),
    BACKUP_ADVISED(
            "datachecksums_backup_advised",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "Whether the cluster was converted and no full backup was noted since: the condition BackupAdvised."),
    CORRUPTION_DETECTED(
            "datachecksums_corruption_detected",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "Whether the server has counted checksum failures that nobody has acknowledged: the condition CorruptionDetected."),
    CORRUPT_DATABASE(
            "datachecksums_corrupt_database",
            Kind.GAUGE,
            MetricUnit.BOOLEAN,
            "1 for each database with failures that nobody has acknowledged; at most 20 a resource.",
            "database"),
    CHECKSUM_FAILURES(
            "datachecksums_checksum_failures_total",
            Kind.COUNTER,
            MetricUnit.NUMBER,
            "Checksum failures in all databases and the shared catalogs, by pg_stat_database; no series while checksums are off. Falls when the statistics are reset."),
    DATABASE_CHECKSUM_FAILURES(
            "datachecksums_database_checksum_failures_total",
            Kind.COUNTER,
            MetricUnit.NUMBER,
            "The same by database, for those that have any; at most 20 a resource.",
            "database"),
    LAST_FAILURE(
            "datachecksums_checksum_last_failure_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "When the last failure was noticed: Unix time."),
    PROGRESS(
            "datachecksums_conversion_progress_ratio",
            Kind.GAUGE,
            MetricUnit.RATIO,
            "How far the conversion under way is, 0 to 1; never goes back within a try."),
    DONE(
            "datachecksums_conversion_done_bytes",
            Kind.GAUGE,
            MetricUnit.BYTES,
            "Bytes that the conversion under way has done."),
    TOTAL(
            "datachecksums_conversion_size_bytes",
            Kind.GAUGE,
            MetricUnit.BYTES,
            "Bytes that the conversion under way has to go through."),
    RATE(
            "datachecksums_conversion_rate_bytes_per_second",
            Kind.GAUGE,
            MetricUnit.BYTES_PER_SECOND,
            "Speed of the conversion under way."),
    REMAINING(
            "datachecksums_conversion_remaining_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "Estimated time to the end of the conversion under way."),
    STARTED(
            "datachecksums_conversion_started_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "When the try under way was started: Unix time."),
    LAST_PROGRESS(
            "datachecksums_conversion_last_progress_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "When a counter of the conversion under way last moved, or else when the try was started: Unix time."),
    OUTAGE_STARTED(
            "datachecksums_outage_started_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "The server's last answer before it was stopped for the conversion under way: Unix time; gone with its first answer after it."),
    PLANNED_OUTAGE(
            "datachecksums_planned_outage_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "Estimated time without service of the conversion that is planned or under way."),
    PLANNED_DURATION(
            "datachecksums_planned_duration_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "Estimated time of the conversion that is planned or under way."),
    PLANNED_WAL(
            "datachecksums_planned_wal_bytes",
            Kind.GAUGE,
            MetricUnit.BYTES,
            "WAL that the conversion that is planned or under way will write."),
    REPLICA_LAG(
            "datachecksums_replica_lag_bytes",
            Kind.GAUGE,
            MetricUnit.BYTES,
            "WAL that the replica that is furthest behind has not replayed, while an online conversion is under way or about to begin."),
    LAST_CONVERSION(
            "datachecksums_last_conversion_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "When the last conversion ended well: Unix time."),
    LAST_CONVERSION_DURATION(
            "datachecksums_last_conversion_duration_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "Time from the start of the last conversion's try to its end."),
    LAST_OUTAGE(
            "datachecksums_last_outage_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "Time without service of the last conversion that ended well."),
    LAST_LOOK(
            "datachecksums_last_look_timestamp_seconds",
            Kind.GAUGE,
            MetricUnit.SECONDS,
            "When the operator last looked at this resource: Unix time."),
    CONVERSIONS(
            "datachecksums_conversions_total",
            Kind.COUNTER,
            MetricUnit.NUMBER,
            "Tries that have ended since the operator was started: Succeeded, Failed, or GivenUp where nobody had failed.",
            "method",
            "outcome"),
    CONVERSION_DURATION(
            "datachecksums_conversion_duration_seconds",
            Kind.HISTOGRAM,
            MetricUnit.SECONDS,
            "Time from start to end of tries that ended well, since the operator was started.",
            Of.FLEET,
            "method"),
    OUTAGE_DURATION(
            "datachecksums_outage_duration_seconds",
            Kind.HISTOGRAM,
            MetricUnit.SECONDS,
            "Time without service of offline tries, failed ones too, since the operator was started.",
            Of.FLEET,
            "method",
            "outcome"),
    RESOURCES(
            "datachecksums_resources",
            Kind.GAUGE,
            MetricUnit.NUMBER,
            "Declarations that this operator looks after.",
            Of.FLEET),
    STATUS_WRITES(
            "datachecksums_status_writes_total",
            Kind.COUNTER,
            MetricUnit.NUMBER,
            "Times that a status was written since the operator was started; none at rest.",
            Of.FLEET),
    BUILD_INFO(
            "datachecksums_build_info",
            Kind.INFO,
            MetricUnit.BOOLEAN,
            "Always 1: the operator's version and the Java it runs on.",
            Of.FLEET,
            "version",
            "java");

    /** Prometheus types. */
    enum Kind {
        GAUGE,
        INFO,
        COUNTER,
        HISTOGRAM
    }

    /** Whose series they are. */
    enum Of {
        RESOURCE,
        FLEET
    }

    private static final double[] DURATIONS = {1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, Double.POSITIVE_INFINITY};
    private static final double[] OUTAGES = {0.5, 1, 2, 3, 5, 10, 30, 60, 300, 900, 1800, 3600, Double.POSITIVE_INFINITY
    };

    private final String fullName;
    private final Kind kind;
    private final MetricUnit unit;
    private final String help;
    private final Of of;
    /** A copy that cannot be changed. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> labels;

    Metric(String fullName, Kind kind, MetricUnit unit, String help, String... labels) {
        this(fullName, kind, unit, help, Of.RESOURCE, labels);
    }

    Metric(String fullName, Kind kind, MetricUnit unit, String help, Of of, String... labels) {
        this.fullName = fullName;
        this.kind = kind;
        this.unit = unit;
        this.help = help;
        this.of = of;
        Stream<String> whose = of == Of.RESOURCE ? Stream.of("namespace", "name") : Stream.empty();
        this.labels = Stream.concat(whose, Stream.of(labels)).toList();
    }

    /** Upper bounds of a histogram's buckets, in seconds; conversions take longer than outages. */
    double[] bounds() {
        return this == OUTAGE_DURATION ? OUTAGES.clone() : DURATIONS.clone();
    }

    /** As Prometheus stores it; a histogram's series have suffixes besides. */
    public String fullName() {
        return fullName;
    }

    /** For Prometheus' library, which adds the suffix of a counter or an info itself. */
    String baseName() {
        String suffix = kind == Kind.COUNTER ? "_total" : kind == Kind.INFO ? "_info" : "";
        return fullName.substring(0, fullName.length() - suffix.length());
    }

    Kind kind() {
        return kind;
    }

    MetricUnit unit() {
        return unit;
    }

    String help() {
        return help;
    }

    Of of() {
        return of;
    }

    List<String> labels() {
        return labels;
    }
}
