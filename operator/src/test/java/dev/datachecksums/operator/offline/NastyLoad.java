package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.postgres.LocalPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Clients that do what makes recovery hard, and go on over a restart; one of them remembers every row that was acknowledged to it. */
final class NastyLoad implements AutoCloseable {
    private static final List<String> ODD = List.of(
            "insert into odd select i, md5(i::text), int4range(i, i + 5), point(i, i), to_tsvector('simple', 'w' || i) from generate_series(1, 500) i",
            "do $$ begin for i in 1..40 loop begin update odd set word = 'x' || i where id = i; exception when others then null; end; end loop; end $$",
            "select lo_from_bytea(0, repeat('large', 5000)::bytea)",
            "select lo_unlink(min(oid)) from pg_largeobject_metadata having count(*) > 3",
            "create database come_and_go",
            "drop database come_and_go",
            "vacuum full odd",
            "reindex table odd",
            "truncate odd",
            "select nextval('counted') from generate_series(1, 10)",
            "create table gone as select * from kept limit 500",
            "drop table gone",
            "checkpoint");

    private final LocalPostgres postgres;
    private final AtomicBoolean going = new AtomicBoolean(true);
    private final AtomicLong next = new AtomicLong();
    private final ConcurrentLinkedQueue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final List<Future<?>> clients;

    NastyLoad(LocalPostgres postgres) {
        this.postgres = postgres;
        postgres.execute(
                "create table ledger (id bigint primary key, at timestamptz default now())",
                "create table shared_rows as select id from generate_series(1, 50) id",
                "create sequence counted",
                "create table odd (id int, word text, span int4range, place point, words tsvector)",
                "create index on odd using hash (word)",
                "create index on odd using gin (words)",
                "create index on odd using brin (id)",
                "create index on odd using gist (span)",
                "create index on odd using spgist (place)",
                "create index on odd (id, word)");
        clients = Stream.<Client>of(this::write, this::write, this::disturb, this::share)
                .<Future<?>>map(c -> threads.submit(() -> serve(c)))
                .toList();
    }

    private interface Client {
        void round(Statement statement) throws SQLException;
    }

    List<Long> acknowledged() {
        return List.copyOf(acknowledged);
    }

    private void serve(Client client) {
        while (going.get()) {
            try (Connection c = postgres.connect();
                    Statement s = c.createStatement()) {
                s.setQueryTimeout(20);
                while (going.get()) {
                    client.round(s);
                }
            } catch (SQLException e) {
                // The server restarts, or the load got into its own way: again.
                Thread.onSpinWait();
            }
        }
    }

    private void write(Statement s) throws SQLException {
        long id = next.incrementAndGet();
        s.execute("insert into ledger (id) values (" + id + ")");
        acknowledged.add(id);
        // The machine is shared with the copy: what matters is what is done, not how often.
        s.execute("select pg_sleep(0.01)");
    }

    private void disturb(Statement s) throws SQLException {
        for (String sql : ODD) {
            if (going.get()) {
                s.execute(sql);
                s.execute("select pg_sleep(0.1)");
            }
        }
    }

    /** Rows locked by two transactions at once: multixacts. */
    private void share(Statement s) throws SQLException {
        try (Connection other = postgres.connect();
                Statement t = other.createStatement()) {
            for (int i = 1; i <= 50 && going.get(); i++) {
                s.execute("begin; select from shared_rows where id = " + i + " for key share");
                t.execute("begin; select from shared_rows where id = " + i + " for share");
                t.execute("commit");
                s.execute("commit; select pg_sleep(0.05)");
            }
        }
    }

    /** Ends the clients; what was acknowledged until then has to be there. */
    void end() throws Exception {
        going.set(false);
        for (Future<?> client : clients) {
            client.get(60, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        going.set(false);
        threads.shutdownNow();
    }
}
