package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The embedded Kubernetes API on a free port of 127.0.0.1, without TLS. It knows the namespaces {@code default} and {@code kube-system} and
 * no controllers but the garbage collector: pods, jobs and stateful sets come to life through the stand-ins of {@code testbed.node}.
 */
public final class EmbeddedApiServer implements AutoCloseable {
    static {
        // Without it each answer waits for the client's delayed acknowledgement, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
    }

    private final ObjectStore store = new ObjectStore();
    private final TypeRegistry types = new TypeRegistry();
    private final Resources resources = new Resources(store, types);
    private final Access access = new Access();
    private final GarbageCollector collector = new GarbageCollector(store, resources, types);
    private final ExecutorService threads;
    private final HttpServer http;

    /**
     * Starts it, ready when this returns.
     *
     * @throws IOException if no port can be had
     */
    public static EmbeddedApiServer start(LogSource logs) throws IOException {
        return new EmbeddedApiServer(logs);
    }

    private EmbeddedApiServer(LogSource logs) throws IOException {
        AtomicInteger number = new AtomicInteger();
        threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "embedded-api-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        http = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
        http.setExecutor(threads);
        ResourceHandler handler = new ResourceHandler(types, store, resources, access, logs);
        http.createContext("/", new HttpFront(new Discovery(types), handler));
        for (String name : List.of("default", "kube-system")) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", name);
            resources.create(resources.type("namespaces"), "", namespace);
        }
        collector.start();
        http.start();
    }

    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** The verbs without the detour through HTTP, for stand-in controllers. */
    public Resources resources() {
        return resources;
    }

    /** What a user may not do. */
    public Access access() {
        return access;
    }

    /**
     * Calls a listener at every change of any object, in a thread that changes must not wait for: it must return at once.
     */
    public void onChange(Runnable listener) {
        store.listen(change -> listener.run());
    }

    /** Writes a kubeconfig for kubectl, with a user name as its token. */
    public Path writeKubeconfig(Path file, String user, String namespace) throws IOException {
        String text = """
                apiVersion: v1
                kind: Config
                current-context: embedded
                clusters:
                - name: embedded
                  cluster: {server: "%s"}
                users:
                - name: embedded
                  user: {token: "%s"}
                contexts:
                - name: embedded
                  context: {cluster: embedded, user: embedded, namespace: "%s"}
                """.formatted(url(), user, namespace);
        return Files.writeString(file, text);
    }

    @Override
    public void close() {
        collector.close();
        http.stop(0);
        threads.shutdownNow();
    }
}
