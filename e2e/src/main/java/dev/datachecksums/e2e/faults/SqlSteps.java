package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells statements that change something from those that read. A statement counts as a change unless it is known to read: it is a query,
 * and it calls none of the server's volatile functions but those that only look.
 */
final class SqlSteps {
    private static final Pattern QUERY =
            Pattern.compile("(?is)\\s*(select|with|values|table|show|set|begin|start|commit|rollback|end)\\b.*");
    private static final Pattern CALL = Pattern.compile("([a-z_][a-z0-9_]*)\\s*\\(", Pattern.CASE_INSENSITIVE);
    /** Volatile for what they read, or in effect for our own session alone. */
    private static final Pattern LOOKS = Pattern.compile(
            "pg_(read|ls|stat|current|last|wal|control|show|get|backend|is|blocking|safe|tablespace|database|relation|total|table|indexes|size|hba|sleep|lock|cursor|prepared|available|timezone|config|file|ident|settings|has)_?.*"
                    + "|set_config|clock_timestamp|timeofday|random|currval|lastval|txid_current.*|pg_sleep|inet_.*|has_.*|nullif|generate_.*");

    private static final String PROGRAM = "TO PROGRAM";
    /** In a program: what writes, whatever it is called with. */
    private static final Pattern WRITES = Pattern.compile(
            "\\b(rm|mv|cp|dd|ln|kill|pkill|chmod|chown|chgrp|mkdir|rmdir|touch|tee|truncate|sync|pg_[a-z]+|postgres|sed -i)\\s"
                    + "|>(?!\\s*/dev/null|&)");

    private final Set<String> effects;

    private SqlSteps(Set<String> effects) {
        this.effects = effects;
    }

    /** Asks the server for its volatile functions. */
    static SqlSteps of(PostgresInstance server) {
        String names = server.query("select string_agg(distinct proname, ' ') from pg_proc"
                + " where provolatile = 'v' and pronamespace = 'pg_catalog'::regnamespace");
        return new SqlSteps(Stream.of(names.split(" ", -1))
                .filter(n -> !LOOKS.matcher(n).matches())
                .collect(Collectors.toSet()));
    }

    static SqlSteps withEffects(Set<String> functions) {
        return new SqlSteps(Set.copyOf(functions));
    }

    boolean changes(String sql) {
        if (sql.contains(PROGRAM) && !WRITES.matcher(sql).find()) {
            return false;
        }
        return !sql.isBlank()
                && (!QUERY.matcher(sql).matches()
                        || CALL.matcher(sql)
                                .results()
                                .anyMatch(m -> effects.contains(m.group(1).toLowerCase(Locale.ROOT))));
    }

    /** A program is told by what is in it that differs from the others: its files and its first assignment. */
    static String name(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        if (!line.contains(PROGRAM)) {
            return line.substring(0, Math.min(60, line.length()));
        }
        List<String> of = Stream.of("line=", "p=data_checksums", "postmaster.pid")
                .filter(line::contains)
                .toList();
        Matcher assigned = Pattern.compile("QUIT TERM ([a-z]+)=").matcher(line);
        return "program "
                + (of.contains("line=")
                        ? "writes the line"
                        : of.contains("p=data_checksums")
                                ? "lifts the line"
                                : of.contains("postmaster.pid")
                                        ? "fast shutdown"
                                        : assigned.find() ? assigned.group(1) : Integer.toHexString(line.hashCode()));
    }
}
