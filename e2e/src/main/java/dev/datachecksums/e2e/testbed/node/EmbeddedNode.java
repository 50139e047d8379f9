package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.EmbeddedApiServer;
import dev.datachecksums.e2e.testbed.api.Json;
import dev.datachecksums.e2e.testbed.api.LogSource;
import dev.datachecksums.e2e.testbed.api.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * An embedded cluster of one node: the API server with the controllers and the kubelet that bring its pods to life as processes of this
 * machine. What it starts it ends, and the kernel does should this JVM be killed.
 */
public final class EmbeddedNode implements AutoCloseable {
    /** The node's name. */
    public static final String NAME = "embedded";

    /** A pod's annotation: the signal that stops its containers, instead of the image's own. By name, such as TERM. */
    public static final String STOP_SIGNAL = "testbed.datachecksums.dev/stop-signal";

    static final String HOST_IP = "127.0.0.1";

    private final EmbeddedApiServer api;
    private final LocalProcesses processes = new LocalProcesses();
    private final PodAddresses addresses = new PodAddresses();
    private final Kubelet kubelet;
    private final ControlLoop kubeletLoop;
    private final List<ControlLoop> loops;

    /**
     * Starts API server and node.
     *
     * @param root an existing directory: mount paths inside it are volumes. Every user must be able to enter it
     * @param backOff what a container that failed twice waits before its next start; doubled each time
     */
    public static EmbeddedNode start(Path root, Duration backOff) throws IOException {
        return new EmbeddedNode(root, backOff);
    }

    private EmbeddedNode(Path root, Duration backOff) throws IOException {
        api = EmbeddedApiServer.start(wish -> podLog(wish));
        Resources resources = api.resources();
        ClusterObjects objects = new ClusterObjects(resources);
        Volumes volumes = new Volumes(root, objects, processes);
        Path home = Files.createDirectories(root.resolve("run"));
        kubelet = new Kubelet(objects, volumes, processes, addresses, home, backOff);
        register(resources);
        kubeletLoop = new ControlLoop("kubelet", kubelet);
        loops = List.of(
                new ControlLoop("statefulsets", new StatefulSetController(objects)),
                new ControlLoop("deployments", new DeploymentController(objects)),
                new ControlLoop("replicasets", new ReplicaSetController(objects)),
                new ControlLoop("jobs", new JobController(objects)),
                new ControlLoop("claims", new ClaimController(objects, volumes)),
                kubeletLoop,
                new ControlLoop("names", new HostNames(objects)));
        api.onChange(() -> loops.forEach(ControlLoop::trigger));
        loops.forEach(ControlLoop::trigger);
    }

    private static void register(Resources resources) {
        ObjectNode node = Json.object();
        ObjectNode metadata = node.putObject("metadata").put("name", NAME);
        metadata.putObject("labels").put("kubernetes.io/hostname", NAME).put("kubernetes.io/os", "linux");
        resources.create(resources.type("nodes"), "", node);
        resources.updateStatus(resources.type("nodes"), "", NAME, n -> {
            ObjectNode status = n.putObject("status");
            ClusterObjects.condition(status, "Ready", true, "KubeletReady", "the embedded node is ready");
            status.putArray("addresses").addObject().put("type", "InternalIP").put("address", HOST_IP);
            return n;
        });
    }

    /** Whether this machine has the server programs of a major version. */
    public static boolean canRun(int major) {
        return Images.programs(Integer.toString(major)).isPresent();
    }

    public EmbeddedApiServer api() {
        return api;
    }

    /** The process id of a running container's first process; empty if it does not run. */
    public OptionalLong pid(String namespace, String pod, String container) {
        return kubelet.runner(namespace, pod)
                .flatMap(r -> r.container(container))
                .map(ContainerRunner::pid)
                .orElse(OptionalLong.empty());
    }

    /** SIGKILL to a container's first process, and with it to all the others. Says whether one ran. */
    public boolean kill(String namespace, String pod, String container) {
        return kubelet.runner(namespace, pod)
                .flatMap(r -> r.container(container))
                .filter(c -> c.pid().isPresent())
                .map(c -> {
                    c.kill();
                    return true;
                })
                .orElse(false);
    }

    /** For so long it begins no pod and ends none; what runs goes on. */
    public void stopAgentFor(Duration time) {
        kubeletLoop.pauseFor(time);
    }

    /** The API server is there before the kubelet: it asks for logs only when there are pods. */
    private LogSource.Log podLog(LogSource.Wish wish) {
        return kubelet.log(wish);
    }

    /** Ends every process and the API server. */
    @Override
    public void close() {
        loops.forEach(ControlLoop::close);
        api.close();
        kubelet.killAll();
        processes.close();
        try {
            addresses.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
