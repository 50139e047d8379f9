package dev.datachecksums.e2e.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** pgbench's standard load on a server that is restarted: pgbench ends with its connections, and is begun again. */
public final class SteadyPgbench implements AutoCloseable {
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final int PORT = 5432;

    private final Path bin;
    private final Callable<String> address;
    private final String user;
    private final String password;
    private final int clients;
    private final AtomicInteger begun = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "steady-pgbench");
    private volatile boolean ended;
    private volatile @Nullable Pgbench now;

    /**
     * Makes its tables, and begins.
     *
     * @param bin directory of the programs
     * @param address of the server as it is now; fails while there is none
     * @param scale 1 is about 16 MB
     */
    public SteadyPgbench(Path bin, Callable<String> address, String user, String password, int scale, int clients)
            throws Exception {
        this.bin = bin;
        this.address = address;
        this.user = user;
        this.password = password;
        this.clients = clients;
        Pgbench.prepare(bin, address.call(), PORT, user, password, scale);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!ended) {
            try {
                Pgbench one = Pgbench.begin(bin, address.call(), PORT, user, password, clients);
                now = one;
                begun.incrementAndGet();
                one.awaitEnd();
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) {
                // There is no pod, or it has no address yet: that is what it is for.
                LockSupport.parkNanos(AGAIN.toNanos());
                continue;
            }
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    /** How often it was begun. */
    public int begun() {
        return begun.get();
    }

    @Override
    public void close() {
        ended = true;
        thread.interrupt();
        Pgbench last = now;
        if (last != null) {
            last.close();
        }
    }
}
