package dev.datachecksums.e2e.faults;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One connection between an operator and a database: reads PostgreSQL's protocol, version 3, as far as it has to. */
final class SqlLink {
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int CANCEL_REQUEST = 80877102;
    /** Longer than any answer to wait for. */
    private static final int LONGEST_MESSAGE = 1 << 26;

    private final Socket client;
    private final Socket backend;
    private final SqlProxy proxy;
    private final SqlSteps steps;
    private final Crossing crossing;
    private final DataInputStream fromClient;
    private final DataInputStream fromBackend;
    private final DataOutputStream toBackend;
    private final OutputStream toClient;
    private final AtomicReference<@Nullable Point> awaited = new AtomicReference<>();

    SqlLink(Socket client, Socket backend, SqlProxy proxy, SqlSteps steps, Crossing crossing) throws IOException {
        this.client = client;
        this.backend = backend;
        this.proxy = proxy;
        this.steps = steps;
        this.crossing = crossing;
        client.setTcpNoDelay(true);
        backend.setTcpNoDelay(true);
        fromClient = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        fromBackend = new DataInputStream(new BufferedInputStream(backend.getInputStream()));
        toBackend = new DataOutputStream(backend.getOutputStream());
        toClient = client.getOutputStream();
    }

    /** Returns when the connection has ended. */
    void run(Executor other) {
        try {
            if (!login()) {
                return;
            }
            other.execute(this::down);
            up();
        } catch (IOException e) {
            // One side went away: so does the other.
            reset();
        }
    }

    /** Until the first message with a type. False for a request to cancel, which is all there is to its connection. */
    private boolean login() throws IOException {
        while (true) {
            int length = fromClient.readInt();
            byte[] rest = read(fromClient, length - 4);
            int code = ByteBuffer.wrap(rest).getInt();
            toBackend.writeInt(length);
            toBackend.write(rest);
            toBackend.flush();
            if (code != SSL_REQUEST && code != GSS_REQUEST) {
                return code != CANCEL_REQUEST;
            }
            int answer = fromBackend.read();
            if (answer != 'N') {
                throw new IOException("encrypted connections cannot be looked into");
            }
            toClient.write(answer);
            toClient.flush();
        }
    }

    private static byte[] read(DataInputStream in, int length) throws IOException {
        if (length < 0 || length > LONGEST_MESSAGE) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private void up() throws IOException {
        while (true) {
            int type = fromClient.readByte();
            int length = fromClient.readInt();
            byte[] body = read(fromClient, length - 4);
            proxy.pause();
            String sql = type == 'Q'
                    ? text(body, 0)
                    : type == 'P' ? text(body, text(body, 0).length() + 1) : "";
            if (steps.changes(sql)) {
                Point point = crossing.before(Seam.SQL, SqlSteps.name(sql));
                if (!passes(crossing.effect(point, Side.BEFORE))) {
                    return;
                }
                awaited.set(point);
            }
            toBackend.writeByte(type);
            toBackend.writeInt(length);
            toBackend.write(body);
            toBackend.flush();
        }
    }

    /** The names of prepared statements are ASCII, so that characters are bytes. */
    private static String text(byte[] body, int from) {
        int end = from;
        while (end < body.length && body[end] != 0) {
            end++;
        }
        return new String(body, from, end - from, StandardCharsets.UTF_8);
    }

    private void down() {
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        try {
            while (true) {
                int type = fromBackend.read();
                if (type < 0) {
                    break;
                }
                int length = fromBackend.readInt();
                DataOutputStream message = new DataOutputStream(held);
                message.writeByte(type);
                message.writeInt(length);
                message.write(read(fromBackend, length - 4));
                proxy.pause();
                if (awaited.get() != null && type != 'Z') {
                    continue;
                }
                if (!done()) {
                    return;
                }
                proxy.dawdle();
                held.writeTo(toClient);
                held.reset();
                toClient.flush();
            }
            // The server that was told to end ends the connection as its answer.
            if (done()) {
                held.writeTo(toClient);
                toClient.flush();
            }
        } catch (IOException e) {
            done();
        } finally {
            reset();
        }
    }

    private boolean done() {
        Point point = awaited.getAndSet(null);
        return point == null || passes(crossing.effect(point, Side.AFTER));
    }

    private boolean passes(Effect effect) {
        if (effect instanceof Effect.Hang hang) {
            LockSupport.parkNanos(hang.time().toNanos());
        }
        boolean passes = effect instanceof Effect.Pass;
        if (!passes) {
            reset();
        }
        return passes;
    }

    void reset() {
        reset(client);
        reset(backend);
    }

    /** With a reset instead of an orderly end. */
    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            // Closed already.
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
