package dev.datachecksums.operator.telemetry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What the SDK and the JVM expose beside ours. They bring no description: here it is, and for docs/metrics.md too. */
enum ForeignMetric {
    CUSTOM_RESOURCES(
            "custom_resources",
            "custom_resources",
            Metric.Kind.GAUGE,
            MetricUnit.NUMBER,
            "Declarations in the SDK's cache.",
            "controller_name"),
    EVENTS_RECEIVED(
            "events.received",
            "events_received_total",
            Metric.Kind.COUNTER,
            MetricUnit.NUMBER,
            "Events that woke the reconciler.",
            "controller_name",
            "namespace",
            "event",
            "action"),
    RECONCILIATIONS_ACTIVE(
            "reconciliations.active",
            "reconciliations_active",
            Metric.Kind.GAUGE,
            MetricUnit.NUMBER,
            "Reconciles that run now.",
            "controller_name"),
    RECONCILIATIONS_QUEUE(
            "reconciliations.queue",
            "reconciliations_queue",
            Metric.Kind.GAUGE,
            MetricUnit.NUMBER,
            "Reconciles that wait for a thread.",
            "controller_name"),
    RECONCILIATIONS_STARTED(
            "reconciliations.started.total",
            "reconciliations_started_total",
            Metric.Kind.COUNTER,
            MetricUnit.NUMBER,
            "Reconciles begun.",
            "controller_name",
            "namespace"),
    RECONCILIATIONS_SUCCESS(
            "reconciliations.success.total",
            "reconciliations_success_total",
            Metric.Kind.COUNTER,
            MetricUnit.NUMBER,
            "Reconciles that ended without an exception.",
            "controller_name",
            "namespace"),
    RECONCILIATIONS_FAILURE(
            "reconciliations.failure.total",
            "reconciliations_failure_total",
            Metric.Kind.COUNTER,
            MetricUnit.NUMBER,
            "Reconciles that ended by an exception: a fault of the operator's.",
            "controller_name",
            "namespace"),
    RECONCILIATIONS_RETRIES(
            "reconciliations.retries.total",
            "reconciliations_retries_total",
            Metric.Kind.COUNTER,
            MetricUnit.NUMBER,
            "Reconciles that were tried again after an exception.",
            "controller_name",
            "namespace"),
    RECONCILIATIONS_DURATION(
            "reconciliations.execution.duration",
            "reconciliations_execution_duration_seconds",
            Metric.Kind.HISTOGRAM,
            MetricUnit.SECONDS,
            "Time that a reconcile takes.",
            "controller_name"),
    RECONCILIATIONS_DURATION_MAX(
            "reconciliations.execution.duration",
            "reconciliations_execution_duration_seconds_max",
            Metric.Kind.GAUGE,
            MetricUnit.SECONDS,
            "The longest reconcile of the last minutes.",
            "controller_name"),
    JVM_MEMORY_USED(
            "jvm.memory.used",
            "jvm_memory_used_bytes",
            Metric.Kind.GAUGE,
            MetricUnit.BYTES,
            "Memory of the JVM that is used.",
            "area",
            "id"),
    JVM_MEMORY_COMMITTED(
            "jvm.memory.committed",
            "jvm_memory_committed_bytes",
            Metric.Kind.GAUGE,
            MetricUnit.BYTES,
            "Memory of the JVM that is committed.",
            "area",
            "id"),
    PROCESS_RESIDENT(
            "process.resident.memory",
            "process_resident_memory_bytes",
            Metric.Kind.GAUGE,
            MetricUnit.BYTES,
            "Resident memory of the operator's process."),
    PROCESS_CPU(
            "process.cpu",
            "process_cpu_seconds_total",
            Metric.Kind.COUNTER,
            MetricUnit.SECONDS,
            "Processor time that the operator's process has used."),
    PROCESS_START(
            "process.start.time",
            "process_start_time_seconds",
            Metric.Kind.GAUGE,
            MetricUnit.SECONDS,
            "When the operator's process was started: Unix time.");

    private final String meter;
    private final String fullName;
    private final Metric.Kind kind;
    private final MetricUnit unit;
    private final String help;
    /** A copy that cannot be changed. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> labels;

    ForeignMetric(String meter, String fullName, Metric.Kind kind, MetricUnit unit, String help, String... labels) {
        this.meter = meter;
        this.fullName = fullName;
        this.kind = kind;
        this.unit = unit;
        this.help = help;
        this.labels = List.of(labels);
    }

    String meter() {
        return meter;
    }

    String fullName() {
        return fullName;
    }

    Metric.Kind kind() {
        return kind;
    }

    MetricUnit unit() {
        return unit;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }

    /** Lets these through, with their descriptions, and nothing else. */
    static MeterFilter described() {
        return new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                return of(id).isPresent() ? MeterFilterReply.NEUTRAL : MeterFilterReply.DENY;
            }

            @Override
            public Meter.Id map(Meter.Id id) {
                return of(id).map(f -> new Meter.Id(
                                id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), f.help, id.getType()))
                        .orElse(id);
            }
        };
    }

    private static Optional<ForeignMetric> of(Meter.Id id) {
        return Arrays.stream(values()).filter(f -> f.meter.equals(id.getName())).findFirst();
    }
}
