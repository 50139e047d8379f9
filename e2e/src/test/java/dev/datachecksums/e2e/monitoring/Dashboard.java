package dev.datachecksums.e2e.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Grafana dashboard: the queries of its panels, and in which scenario each must return something. */
public final class Dashboard {
    static final Path FILE = Monitoring.ROOT.resolve("manifests/monitoring/grafana-dashboard.json");

    /** At any time. */
    public static final String ALWAYS = "always";
    /** The gate says no. */
    public static final String BLOCKED = "blocked";
    /** A server is not as declared. */
    public static final String DRIFTED = "drifted";
    /** The server is stopped, and its pages are being gone through. */
    public static final String CONVERTING = "converting";
    /** A conversion has ended. */
    public static final String CONVERTED = "converted";
    /** A try has failed. */
    public static final String FAILED = "failed";
    /** The server has found damage. */
    public static final String CORRUPT = "corrupt";
    /** An online conversion is under way. */
    public static final String ONLINE = "online";

    static final Map<String, List<String>> PANELS = panels();

    private static Map<String, List<String>> panels() {
        Map<String, List<String>> p = new LinkedHashMap<>();
        p.put(
                ALWAYS,
                List.of(
                        "Declarations",
                        "Converting now",
                        "Stalled",
                        "Failed",
                        "Drifted",
                        "With damaged pages",
                        "By state",
                        "By phase",
                        "Reconcile, 99th percentile",
                        "Memory of the operator"));
        p.put(BLOCKED, List.of("Checks that say no"));
        p.put(DRIFTED, List.of("Not as declared, and why"));
        p.put(
                CONVERTING,
                List.of(
                        "Who is converting",
                        "Phase",
                        "State",
                        "Reason",
                        "Progress",
                        "Rate",
                        "ETA",
                        "Time without service",
                        "Planned outage"));
        p.put(CONVERTED, List.of("Outage, 95th percentile", "Last outage", "Tries by outcome"));
        p.put(FAILED, List.of("Failed tries"));
        p.put(CORRUPT, List.of("Checksum failures by database"));
        p.put(ONLINE, List.of("WAL that it will write", "Lag of the slowest replica"));
        return p;
    }

    private Dashboard() {}

    /** Titles of all panels that have a query. */
    static List<String> titles() {
        List<String> titles = new ArrayList<>();
        for (JsonNode panel : Monitoring.yaml(FILE).path("panels")) {
            if (!panel.path("targets").isEmpty()) {
                titles.add(panel.path("title").asText());
            }
        }
        return titles;
    }

    /** The queries of the panels that show something in that scenario, about that resource. */
    public static List<String> queries(String scenario, Map<String, String> resource) {
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : Monitoring.yaml(FILE).path("panels")) {
            if (PANELS.getOrDefault(scenario, List.of())
                    .contains(panel.path("title").asText())) {
                for (JsonNode target : panel.path("targets")) {
                    String query = target.path("expr").asText();
                    for (Map.Entry<String, String> variable : resource.entrySet()) {
                        query = query.replace("\"$" + variable.getKey() + "\"", "\"" + variable.getValue() + "\"");
                    }
                    if (query.contains("$")) {
                        throw new IllegalStateException("a variable is left in " + query);
                    }
                    queries.add(query);
                }
            }
        }
        return queries;
    }
}
