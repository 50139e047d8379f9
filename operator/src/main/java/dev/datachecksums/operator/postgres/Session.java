package dev.datachecksums.operator.postgres;

import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** One connection, every call of which is bounded. Statements run in transactions of their own. */
final class Session implements AutoCloseable {
    static final String APPLICATION_NAME = "datachecksums-operator";

    /*
     * A fixed search_path, so that no user's function or operator is called in place of the server's. The idle bounds are lifted
     * because a held session waits between its calls. Only settings that the server knows are set.
     */
    private static final String SETTINGS = """
            SELECT pg_catalog.set_config(s.name, v.value, ?)
            FROM (VALUES ('search_path', 'pg_catalog, pg_temp'), ('lock_timeout', ?),
                         ('idle_session_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
                         ('transaction_timeout', '0'), ('standard_conforming_strings', 'on')) AS v (name, value)
            JOIN pg_catalog.pg_settings s ON s.name OPERATOR(pg_catalog.=) v.name""";

    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Asks this session. */
    interface Inquiry<T> {
        T ask() throws SQLException;
    }

    private final ServerTarget target;
    private final Connection connection;

    private Session(ServerTarget target, Connection connection) {
        this.target = target;
        this.connection = connection;
    }

    static Session open(ServerTarget target) throws ServerException {
        PGSimpleDataSource source = dataSource(target);
        try {
            return new Session(target, source.getConnection());
        } catch (SQLException e) {
            throw Problems.connecting(target, e);
        }
    }

    static PGSimpleDataSource dataSource(ServerTarget target) throws ServerException {
        ServerAddress address = target.address();
        Timeouts timeouts = target.timeouts();
        int socket = Timeouts.seconds(timeouts.socket());
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {address.hostForDriver()});
        source.setPortNumbers(new int[] {address.port()});
        source.setDatabaseName(address.database());
        source.setUser(target.credentials().username());
        source.setPassword(target.credentials().password());
        source.setConnectTimeout(Timeouts.seconds(timeouts.connect()));
        source.setSocketTimeout(socket);
        source.setSslResponseTimeout(Math.toIntExact(timeouts.socket().toMillis()));
        // The whole login, names resolved and all; one more so that a more telling bound is reached first.
        source.setLoginTimeout(Timeouts.seconds(timeouts.connect()) + socket + 1);
        source.setPrepareThreshold(0);
        source.setTcpKeepAlive(true);
        source.setApplicationName(APPLICATION_NAME);
        source.setTargetServerType("any");
        source.setGssEncMode("disable");
        try {
            configureTls(target.tls(), source);
        } catch (CertificateException e) {
            throw new ServerException(
                    ServerProblem.TLS_FAILED,
                    null,
                    "the CA certificate given for " + address + " cannot be read: "
                            + ServerException.printable(String.valueOf(e.getMessage()))
                            + "; put one or more PEM certificates there",
                    e);
        }
        return source;
    }

    private static void configureTls(Tls tls, PGSimpleDataSource source) throws CertificateException {
        Tls.Mode mode = tls.mode();
        if (tls.verifies()) {
            String pem = tls.caPem();
            if (pem == null) {
                source.setSslfactory("org.postgresql.ssl.DefaultJavaSSLFactory");
            } else {
                CaSocketFactory.certificates(pem);
                source.setSslfactory(CaSocketFactory.class.getName());
                source.setSslfactoryarg(pem);
            }
        } else if (mode != Tls.Mode.DISABLE) {
            source.setSslfactory("org.postgresql.ssl.NonValidatingFactory");
        }
        source.setSslMode(mode.sslMode());
    }

    ServerTarget target() {
        return target;
    }

    /** Sets what holds for the session. Not for a pooler's connection, which others will use after us. */
    void prepare() throws SQLException {
        // First and alone: a role may have a limit of its own that is too short even for the rest.
        execute("SET statement_timeout = " + target.timeouts().statement().toMillis());
        set(false);
    }

    private void set(boolean forThisTransaction) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SETTINGS)) {
            statement.setBoolean(1, forThisTransaction);
            statement.setString(2, Long.toString(target.timeouts().statement().toMillis()));
            statement.execute();
        }
    }

    /** Asks with the settings in force for this transaction only. */
    <T> T inOneTransaction(Inquiry<T> inquiry) throws SQLException {
        connection.setAutoCommit(false);
        execute("SET LOCAL statement_timeout = " + target.timeouts().statement().toMillis());
        set(true);
        T answer = inquiry.ask();
        connection.rollback();
        connection.setAutoCommit(true);
        return answer;
    }

    <T> List<T> all(String sql, Row<T> row) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return List.copyOf(found);
        }
    }

    /** The only row of a query that always has one. */
    <T> T one(String sql, Row<T> row) throws SQLException {
        List<T> rows = all(sql, row);
        if (rows.size() != 1) {
            throw new SQLException("expected one row and got " + rows.size(), "22000");
        }
        return rows.get(0);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs one statement under other bounds than the session's. */
    void execute(String sql, Duration bound) throws SQLException {
        int usual = Math.toIntExact(target.timeouts().socket().toMillis());
        setNetworkTimeout(Math.toIntExact(bound.toMillis()) + usual);
        execute("SET statement_timeout = " + bound.toMillis());
        try {
            execute(sql);
        } catch (SQLException e) {
            if (!Problems.endsSession(e)) {
                restoreBounds(usual);
            }
            throw e;
        }
        restoreBounds(usual);
    }

    private void restoreBounds(int socketMillis) throws SQLException {
        execute("SET statement_timeout = " + target.timeouts().statement().toMillis());
        setNetworkTimeout(socketMillis);
    }

    private void setNetworkTimeout(int milliseconds) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, milliseconds);
    }

    /** The process that the server named in the protocol's own words, before any SQL. */
    int protocolPid() throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    /** A setting that the server reported in the protocol's own words. */
    Optional<String> reported(String parameter) throws SQLException {
        @Nullable String value = connection.unwrap(PGConnection.class).getParameterStatus(parameter);
        return Optional.ofNullable(value);
    }

    boolean isAlive() {
        try {
            return connection.isValid(Timeouts.seconds(target.timeouts().socket()));
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException gone) {
            // The connection is of no more use either way, and the server ends its side by itself.
        }
    }
}
