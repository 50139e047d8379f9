package dev.datachecksums.operator;

import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.observe.ExternalHosts;
import dev.datachecksums.operator.telemetry.HttpEndpoints;
import dev.datachecksums.operator.telemetry.LogFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The operator's settings: flags such as {@code --watch-namespaces=a,b}, or environment variables such as
 * {@code DATACHECKSUMS_WATCH_NAMESPACES}; a flag wins.
 *
 * @param namespaces that are watched; empty: all
 * @param maxConcurrent reconciles at once
 * @param converting how often a running conversion is looked at, behind its events
 * @param blocked how often a blocked or waiting resource is looked at
 * @param resting how often a resource at rest is looked at
 * @param leaderElection where and as whom it asks for the right to act; empty: it acts at once, and must be alone
 * @param externalHosts what {@code spec.connection.host} may name besides the namespace's own services
 * @param logFormat of what it writes
 * @param showQueries whether the texts of statements that a conversion waits for are reported: they may hold data
 * @param metricsPort of GET /metrics; 0: any free one
 * @param metricsTls certificate and key that /metrics is served with by HTTPS; empty: plain HTTP
 * @param healthPort of GET /healthz and /readyz; 0: any free one
 */
public record Options(
        Set<String> namespaces,
        int maxConcurrent,
        Duration converting,
        Duration blocked,
        Duration resting,
        Optional<Candidate> leaderElection,
        ExternalHosts externalHosts,
        LogFormat logFormat,
        boolean showQueries,
        int metricsPort,
        Optional<HttpEndpoints.Tls> metricsTls,
        int healthPort) {

    /**
     * A replica that may become the leader.
     *
     * @param namespace of the Lease; empty: the client's own
     * @param identity of this process; its successor in the same pod has the same
     */
    public record Candidate(String namespace, String identity) {}

    private static final String PREFIX = "DATACHECKSUMS_";
    private static final Map<String, String> DEFAULTS = defaults();

    private static Map<String, String> defaults() {
        Map<String, String> d = new LinkedHashMap<>();
        d.put("watch-namespaces", "");
        d.put("max-concurrent-reconciles", "16");
        d.put("converting-interval", "2s");
        d.put("blocked-interval", "30s");
        d.put("resting-interval", "5m");
        d.put("leader-election", "true");
        d.put("leader-election-namespace", "");
        d.put("allow-external-hosts", "");
        d.put("log-format", "text");
        d.put("show-queries", "false");
        d.put("metrics-port", "8080");
        d.put("metrics-tls-cert", "");
        d.put("metrics-tls-key", "");
        d.put("health-port", "8081");
        return d;
    }

    /**
     * Reads flags and environment.
     *
     * @throws IllegalArgumentException with a message for the person at the command line
     */
    public static Options parse(List<String> flags, Map<String, String> environment) {
        Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
        for (String name : DEFAULTS.keySet()) {
            String fromEnvironment =
                    environment.get(PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_'));
            if (fromEnvironment != null) {
                values.put(name, fromEnvironment);
            }
        }
        for (String flag : flags) {
            int equals = flag.indexOf('=');
            String name = flag.startsWith("--") && equals > 2 ? flag.substring(2, equals) : "";
            if (!DEFAULTS.containsKey(name)) {
                throw new IllegalArgumentException("unknown flag " + flag + "; known are, each with =VALUE: --"
                        + String.join(", --", DEFAULTS.keySet()));
            }
            values.put(name, flag.substring(equals + 1));
        }
        return new Options(
                names(value(values, "watch-namespaces")),
                number(values, "max-concurrent-reconciles", 1, 1000),
                duration(values, "converting-interval"),
                duration(values, "blocked-interval"),
                duration(values, "resting-interval"),
                candidate(values, environment),
                externalHosts(values),
                logFormat(values),
                yes(values, "show-queries"),
                number(values, "metrics-port", 0, 65_535),
                tls(value(values, "metrics-tls-cert"), value(values, "metrics-tls-key")),
                number(values, "health-port", 0, 65_535));
    }

    private static String value(Map<String, String> values, String name) {
        return values.getOrDefault(name, "");
    }

    private static Optional<Candidate> candidate(Map<String, String> values, Map<String, String> environment) {
        if (!yes(values, "leader-election")) {
            return Optional.empty();
        }
        String asked = value(values, "leader-election-namespace");
        String pod = environment.getOrDefault("POD_NAME", "");
        return Optional.of(new Candidate(
                asked.isEmpty() ? environment.getOrDefault("POD_NAMESPACE", "") : asked,
                pod.isEmpty() ? "process-" + UUID.randomUUID() : pod));
    }

    private static ExternalHosts externalHosts(Map<String, String> values) {
        try {
            return ExternalHosts.of(names(value(values, "allow-external-hosts")));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--allow-external-hosts: " + e.getMessage(), e);
        }
    }

    private static LogFormat logFormat(Map<String, String> values) {
        String text = value(values, "log-format");
        return switch (text) {
            case "text" -> LogFormat.TEXT;
            case "json" -> LogFormat.JSON;
            default -> throw new IllegalArgumentException("--log-format=" + text + " is neither text nor json");
        };
    }

    private static Set<String> names(String list) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(n -> !n.isEmpty())
                .forEach(names::add);
        return Set.copyOf(names);
    }

    private static int number(Map<String, String> values, String name, int least, int most) {
        String text = value(values, name);
        try {
            int n = Integer.parseInt(text);
            if (n >= least && n <= most) {
                return n;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + "=" + text + " is no number", e);
        }
        throw new IllegalArgumentException("--" + name + "=" + text + " is not between " + least + " and " + most);
    }

    private static Optional<HttpEndpoints.Tls> tls(String certificate, String key) {
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new IllegalArgumentException(
                    "--metrics-tls-cert and --metrics-tls-key belong together: give both, PEM files, or neither");
        }
        return certificate.isEmpty()
                ? Optional.empty()
                : Optional.of(new HttpEndpoints.Tls(Path.of(certificate), Path.of(key)));
    }

    private static boolean yes(Map<String, String> values, String name) {
        String text = value(values, name);
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new IllegalArgumentException("--" + name + "=" + text + " is neither true nor false");
    }

    private static Duration duration(Map<String, String> values, String name) {
        String text = value(values, name);
        try {
            Duration d = Durations.parse(text);
            if (!d.isZero()) {
                return d;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--" + name + "=" + text + " is not a duration such as 90s, 10m or 1h30m", e);
        }
        throw new IllegalArgumentException("--" + name + " must be more than 0");
    }
}
