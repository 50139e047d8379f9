package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between an operator and a database, at an address of this machine and the database's own port. Each connection leads to the pod
 * that is there at that moment.
 */
final class SqlProxy implements AutoCloseable {
    static final int PORT = 5432;

    private final PostgresInstance server;
    private final SqlSteps steps;
    private final Crossing crossing;
    private final ServerSocket front;
    private final Set<SqlLink> links = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "sql-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long stalledUntil = System.nanoTime();
    private volatile Duration delay = Duration.ZERO;

    SqlProxy(PostgresInstance server, Crossing crossing) {
        this.server = server;
        this.steps = SqlSteps.of(server);
        this.crossing = crossing;
        try {
            this.front = firstFree();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    private static ServerSocket firstFree() throws IOException {
        for (int n = 1; n < 255; n++) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 78, 0, (byte) n}), PORT));
                return socket;
            } catch (IOException taken) {
                socket.close();
            }
        }
        throw new IOException("no free address in 127.78.0.0/24");
    }

    /** The address to connect to. */
    String host() {
        return front.getInetAddress().getHostAddress();
    }

    /** Nothing passes for so long, neither a connection nor a word. */
    void stallFor(Duration time) {
        stalledUntil = System.nanoTime() + time.toNanos();
    }

    /** Every answer takes so much longer, until it is set back to zero. */
    void slowDown(Duration each) {
        delay = each;
    }

    /** Resets every connection. */
    void reset() {
        links.forEach(SqlLink::reset);
    }

    void pause() {
        for (long left = stalledUntil - System.nanoTime(); left > 0; left = stalledUntil - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    void dawdle() {
        Duration time = delay;
        if (!time.isZero()) {
            LockSupport.parkNanos(time.toNanos());
        }
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket client = front.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                if (!front.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket client) {
        pause();
        SqlLink link;
        try {
            Socket backend = new Socket();
            backend.connect(new InetSocketAddress(server.address(), PORT), 2000);
            link = new SqlLink(client, backend, this, steps, crossing);
        } catch (IOException | SQLException e) {
            SqlLink.reset(client);
            return;
        }
        links.add(link);
        try {
            link.run(threads);
        } finally {
            links.remove(link);
            link.reset();
        }
    }

    @Override
    public void close() {
        try {
            front.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reset();
        threads.shutdownNow();
    }
}
