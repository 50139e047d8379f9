package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.Asking.Unanswered;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whatever is known to copy the data directory. There is no view of backups by the low-level functions from 15 on: a session is taken
 * for one if its last statement began one, or if it is pgBackRest's, which names itself and runs other statements meanwhile.
 */
final class BackupDetector {
    /** The text must not match itself, or every observer of this kind would see the others. */
    private static final String BY_FUNCTIONS = """
            SELECT pid, application_name, query ~* '(pg_backup_start|pg_start_backup)[[:space:]]*[(]' AS by_function
            FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
              AND (query ~* '(pg_backup_start|pg_start_backup)[[:space:]]*[(]' OR application_name = 'pgBackRest [backup]')
            ORDER BY pid""";

    private static final String STREAMED_12 =
            "SELECT pid, application_name, state FROM pg_stat_replication WHERE state = 'backup' ORDER BY pid";

    private static final String STREAMED_13 = """
            SELECT pid, coalesce(application_name, '') AS application_name, coalesce(phase, 'running') AS state
            FROM pg_stat_progress_basebackup LEFT JOIN pg_stat_activity USING (pid)
            UNION
            SELECT pid, application_name, 'running' FROM pg_stat_replication
            WHERE state = 'backup' AND pid NOT IN (SELECT pid FROM pg_stat_progress_basebackup)
            ORDER BY pid""";

    private BackupDetector() {}

    static List<RunningBackup> find(Session session, int versionNum) throws SQLException, Unanswered {
        boolean seesOthers = session.one("SELECT pg_has_role('pg_read_all_stats', 'MEMBER')", row -> row.getBoolean(1));
        if (!seesOthers) {
            throw new Unanswered("only a superuser or a member of pg_read_all_stats sees what other sessions do");
        }
        List<RunningBackup> found = new ArrayList<>();
        found.addAll(session.all(
                versionNum >= 130_000 ? STREAMED_13 : STREAMED_12,
                row -> new RunningBackup(
                        row.getInt("pid"),
                        row.getString("application_name"),
                        "base backup over the replication protocol: " + row.getString("state"))));
        Set<Integer> streamed = new HashSet<>();
        found.forEach(backup -> streamed.add(backup.pid()));
        for (RunningBackup backup : session.all(
                BY_FUNCTIONS,
                row -> new RunningBackup(
                        row.getInt("pid"),
                        row.getString("application_name"),
                        row.getBoolean("by_function")
                                ? "the session's last statement began a backup, and it is still connected"
                                : "a backup session of pgBackRest"))) {
            if (!streamed.contains(backup.pid())) {
                found.add(backup);
            }
        }
        if (versionNum < 150_000 && session.one("SELECT pg_is_in_backup()", row -> row.getBoolean(1))) {
            found.add(
                    new RunningBackup(null, "", "an exclusive backup (pg_start_backup); it ends by pg_stop_backup()"));
        }
        return List.copyOf(found);
    }
}
