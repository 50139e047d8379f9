package dev.datachecksums.e2e.testbed.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses for pods: 127.77.N.1 and up, a new one for each incarnation. N is taken by listening at 127.77.N.255, so that several testbeds
 * on one machine do not meet.
 */
final class PodAddresses implements AutoCloseable {
    private static final int LOCK_PORT = 5431;

    private final ServerSocket lock;
    private final AtomicInteger last = new AtomicInteger();

    /** @throws IOException if all blocks are taken */
    PodAddresses() throws IOException {
        lock = firstFree();
    }

    private static ServerSocket firstFree() throws IOException {
        for (int n = 0; n < 256; n++) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(address(n, 255), LOCK_PORT));
                return socket;
            } catch (IOException taken) {
                socket.close();
            }
        }
        throw new IOException("no free block of addresses in 127.77.0.0/16");
    }

    String next() {
        int n = last.updateAndGet(i -> i % 250 + 1);
        int block = lock.getInetAddress().getAddress()[2] & 0xff;
        return "127.77." + block + "." + n;
    }

    private static InetAddress address(int n, int host) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 77, (byte) n, (byte) host});
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
