package dev.datachecksums.operator.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

final class JdbcHeldSession implements HeldSession {
    private static final int ATTEMPTS = 100;
    private static final Duration POLL = Duration.ofMillis(5);

    /** The class in the pattern keeps the text from matching itself. */
    private static final String OTHERS_ALTER_SYSTEM = """
            SELECT count(*) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND state = 'active' AND query ~* 'alter[[:space:]]+system' AND query_start <=""";

    private final Session session;
    private final int backendPid;
    private final Instant postmasterStartTime;

    private JdbcHeldSession(Session session, int backendPid, Instant postmasterStartTime) {
        this.session = session;
        this.backendPid = backendPid;
        this.postmasterStartTime = postmasterStartTime;
    }

    private record Standing(boolean superuser, int pid, Instant started) {}

    static JdbcHeldSession over(Session session) throws ServerException {
        ServerTarget target = session.target();
        try {
            PoolerDetector.refuse(session);
            session.prepare();
            Standing standing = session.one(
                    """
                    SELECT coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false),
                           pg_backend_pid(), pg_postmaster_start_time() AS started""",
                    row -> new Standing(
                            row.getBoolean(1), row.getInt(2), Objects.requireNonNull(Asking.instant(row, "started"))));
            if (!standing.superuser()) {
                throw new ServerException(
                        ServerProblem.PERMISSION_DENIED,
                        target.address() + ": user \""
                                + ServerException.printable(target.credentials().username())
                                + "\" is no superuser, and only one can stop the server for an offline conversion; log in as a superuser");
            }
            // So that the details of a failed program read the same everywhere.
            session.execute("SET lc_messages = 'C'");
            return new JdbcHeldSession(session, standing.pid(), standing.started());
        } catch (SQLException e) {
            throw Problems.asking(target, e);
        }
    }

    @Override
    public int backendPid() {
        return backendPid;
    }

    @Override
    public Instant postmasterStartTime() {
        return postmasterStartTime;
    }

    @Override
    public synchronized boolean isAlive() {
        return session.isAlive();
    }

    @Override
    public synchronized void checkpoint(Duration atMost) throws ServerException {
        try {
            session.execute("CHECKPOINT", atMost);
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
    }

    @Override
    public synchronized void writeInterlock(Interlock interlock) throws ServerException {
        refuseBrokenConfiguration();
        until(true, ServerScript.write(interlock));
    }

    @Override
    public synchronized void liftInterlock() throws ServerException {
        until(false, ServerScript.lift());
        try {
            session.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
    }

    @Override
    public synchronized boolean interlockPresent() throws ServerException {
        try {
            return ConfigFacts.interlockPresent(session);
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
    }

    /** Such a server would not start again, whatever we do. */
    private void refuseBrokenConfiguration() throws ServerException {
        try {
            for (ServerFacts.ConfigError error : ConfigFacts.errors(session)) {
                throw new ServerException(
                        ServerProblem.CONFIGURATION_BROKEN,
                        session.target().address() + " could not start again with its configuration: "
                                + error.describe() + "; correct it and reload first");
            }
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
    }

    /**
     * An ALTER SYSTEM that read the file before our change and replaces it afterwards undoes the change. So those under way are waited
     * for before the server is asked what it reads.
     */
    private void until(boolean wanted, String script) throws ServerException {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                // Lifted by looking into the file itself: behind a line that it cannot read the server would not see
                // ours.
                boolean unseen = !wanted && attempt == 0;
                if (unseen || ConfigFacts.interlockPresent(session) != wanted) {
                    runProgram(script);
                }
                awaitOthersAlterSystem();
                if (ConfigFacts.interlockPresent(session) == wanted) {
                    return;
                }
            }
        } catch (SQLException e) {
            throw Problems.asking(session.target(), e);
        }
        throw new ServerException(
                ServerProblem.OTHER,
                session.target().address() + ": postgresql.auto.conf was rewritten at each of " + ATTEMPTS
                        + " tries to " + (wanted ? "write" : "lift")
                        + " the interlock; stop whatever runs ALTER SYSTEM all the time");
    }

    private void awaitOthersAlterSystem() throws SQLException {
        String now = session.one("SELECT clock_timestamp()::text", row -> row.getString(1));
        String underWay = OTHERS_ALTER_SYSTEM + " '" + now + "'";
        long polls = session.target().timeouts().statement().dividedBy(POLL);
        for (long poll = 0; poll < polls && session.one(underWay, row -> row.getInt(1)) > 0; poll++) {
            session.execute("SELECT pg_sleep(" + POLL.toMillis() / 1000.0 + ")");
        }
    }

    private void runProgram(String script) throws SQLException, ServerException {
        try {
            session.execute(script);
        } catch (SQLException e) {
            if (!ServerScript.PROGRAM_FAILED.equals(e.getSQLState())) {
                throw e;
            }
            String address = session.target().address().toString();
            String detail = ServerScript.detail(e);
            String what = ServerScript.meaning(detail)
                    .orElse("the server could not run a program in its data directory: "
                            + ServerException.printable(detail) + "; its image needs sh and the usual file tools");
            throw new ServerException(
                    ServerProblem.PROGRAM_FAILED, ServerScript.PROGRAM_FAILED, address + ": " + what, e);
        }
    }

    @Override
    public synchronized void fastShutdown() throws ServerException {
        try {
            runProgram(ServerScript.fastShutdown());
        } catch (SQLException e) {
            if (!Problems.endsSession(e) || Problems.timedOut(e)) {
                throw Problems.asking(session.target(), e);
            }
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
