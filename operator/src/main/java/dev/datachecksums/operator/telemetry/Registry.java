package dev.datachecksums.operator.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Makes the registry that /metrics shows: what the process needs, and room for the SDK's metrics. */
public final class Registry {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private Registry() {}

    /** A registry in which only documented metrics are accepted. */
    public static PrometheusMeterRegistry create() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().meterFilter(ForeignMetric.described());
        new JvmMemoryMetrics().bindTo(registry);
        Gauge.builder(ForeignMetric.PROCESS_RESIDENT.meter(), Registry::residentBytes)
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder(ForeignMetric.PROCESS_CPU.meter(), STATUS, p -> cpuSeconds())
                .baseUnit("seconds")
                .register(registry);
        TimeGauge.builder(
                        ForeignMetric.PROCESS_START.meter(),
                        () -> ManagementFactory.getRuntimeMXBean().getStartTime(),
                        TimeUnit.MILLISECONDS)
                .register(registry);
        return registry;
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(d -> d.toMillis() / 1000.0)
                .orElse(Double.NaN);
    }

    /** From /proc: not a number where there is none. */
    private static double residentBytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(l -> l.startsWith(RESIDENT))
                    .findFirst()
                    .map(l -> Double.parseDouble(l.replaceAll("[^0-9]", "")) * 1024)
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
