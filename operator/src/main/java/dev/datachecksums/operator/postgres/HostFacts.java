package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.Asking.Unanswered;
import dev.datachecksums.operator.postgres.ServerFacts.OsUser;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a server's processes are to its operating system; for superusers. */
final class HostFacts {
    /** The effective one, the second. */
    private static final Pattern UID = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");

    private static final Pattern GID = Pattern.compile("(?m)^Gid:\\s+\\d+\\s+(\\d+)");

    private HostFacts() {}

    static String binDir(Session session) throws SQLException {
        return session.one("SELECT setting FROM pg_config WHERE name = 'BINDIR'", row -> row.getString(1));
    }

    /** Asked with a length: the size of a file in /proc is 0, and some versions would read just that. */
    static OsUser osUser(Session session) throws SQLException, Unanswered {
        String status = session.one(
                "SELECT coalesce(pg_read_file('/proc/self/status', 0, 16384, true), '')", row -> row.getString(1));
        return osUser(status);
    }

    static OsUser osUser(String status) throws Unanswered {
        Matcher uid = UID.matcher(status);
        Matcher gid = GID.matcher(status);
        if (!uid.find() || !gid.find()) {
            throw new Unanswered("the server cannot read /proc/self/status");
        }
        return new OsUser(Integer.parseInt(uid.group(1)), Integer.parseInt(gid.group(1)));
    }

    /**
     * As bytes: the kernel ends the text with a zero, which text functions refuse. Not read where SELinux is absent: that would be an
     * error.
     */
    static String seLinuxLevel(Session session) throws SQLException, Unanswered {
        String label = session.one("""
                SELECT CASE WHEN (pg_stat_file('/sys/fs/selinux/enforce', true)).size IS NOT NULL
                            THEN pg_read_binary_file('/proc/self/attr/current', 0, 4096, true) END""", row -> label(row.getBytes(1)));
        return seLinuxLevel(label);
    }

    static String seLinuxLevel(String label) throws Unanswered {
        if (label.isEmpty()) {
            throw new Unanswered("SELinux is not enabled there");
        }
        String[] parts = label.split(":", 4);
        if (parts.length < 4) {
            throw new Unanswered("the server's process has no SELinux level");
        }
        return parts[3];
    }

    /** No function of the server tells a link from what it leads to, so a program of its system is asked. */
    static AutoConf autoConf(Session session) throws SQLException, Unanswered {
        try {
            session.execute(ServerScript.lookAtAutoConf());
            return AutoConf.PLAIN;
        } catch (SQLException e) {
            if (!ServerScript.PROGRAM_FAILED.equals(e.getSQLState())) {
                throw e;
            }
            return ServerScript.autoConf(ServerScript.detail(e))
                    .orElseThrow(() -> new Unanswered("the server could not run a program in its data directory"));
        }
    }

    /** Under either of the names that the script of the TemporaryStandby uses. */
    static boolean copyDirectory(Session session) throws SQLException {
        return session.one("""
                SELECT coalesce((pg_stat_file(current_setting('data_directory') || '.dck', true)).isdir, false)
                    OR coalesce((pg_stat_file('dck.copy', true)).isdir, false)""", row -> row.getBoolean(1));
    }

    private static String label(byte @Nullable [] bytes) {
        return bytes == null
                ? ""
                : new String(bytes, StandardCharsets.UTF_8).replace("\0", "").strip();
    }
}
