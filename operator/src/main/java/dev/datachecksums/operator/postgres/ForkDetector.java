package dev.datachecksums.operator.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Names the forks and managed services that answer like PostgreSQL but have no data files which pg_checksums could convert, or none
 * that anyone can reach. EDB's and Percona's servers keep PostgreSQL's files and are not among them.
 */
final class ForkDetector {
    /** Words of version(), in lower case. */
    private static final Map<String, String> BY_VERSION = Map.ofEntries(
            Map.entry("cockroachdb", "CockroachDB"),
            Map.entry("redshift", "Amazon Redshift"),
            Map.entry("greenplum", "Greenplum"),
            Map.entry("cloudberry", "Apache Cloudberry"),
            Map.entry("-yb-", "YugabyteDB"),
            Map.entry("yugabyte", "YugabyteDB"),
            Map.entry("materialize", "Materialize"),
            Map.entry("opengauss", "openGauss"),
            Map.entry("gaussdb", "GaussDB"),
            Map.entry("polardb", "PolarDB"),
            Map.entry("cratedb", "CrateDB"),
            Map.entry("questdb", "QuestDB"),
            Map.entry("risingwave", "RisingWave"));

    /** First parts of the names of settings that only these servers have. */
    private static final Map<String, String> BY_SETTING = Map.of(
            "neon.", "Neon",
            "rds.", "Amazon RDS",
            "alloydb.", "Google AlloyDB",
            "cloudsql.", "Google Cloud SQL",
            "azure.", "Azure Database for PostgreSQL",
            "gp_", "Greenplum",
            "yb_", "YugabyteDB",
            "polar_", "PolarDB");

    private ForkDetector() {}

    static Optional<String> byVersion(String fullVersion) {
        String version = fullVersion.toLowerCase(Locale.ROOT);
        return BY_VERSION.entrySet().stream()
                .filter(entry -> version.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .sorted()
                .findFirst();
    }

    static Optional<String> bySettings(Session session) throws SQLException {
        boolean aurora = session.one(
                "SELECT to_regproc('pg_catalog.aurora_version') IS NOT NULL"
                        + " OR to_regproc('public.aurora_version') IS NOT NULL",
                row -> row.getBoolean(1));
        if (aurora) {
            return Optional.of("Amazon Aurora");
        }
        return bySettings(session.all("""
                SELECT name FROM pg_settings
                WHERE name ~ '^((neon|rds|alloydb|cloudsql|azure)[.]|(gp|yb|polar)_)' ORDER BY 1""", row -> row.getString(1)));
    }

    static Optional<String> bySettings(List<String> names) {
        return names.stream()
                .flatMap(name -> BY_SETTING.entrySet().stream()
                        .filter(entry -> name.startsWith(entry.getKey()))
                        .map(Map.Entry::getValue))
                .findFirst();
    }
}
