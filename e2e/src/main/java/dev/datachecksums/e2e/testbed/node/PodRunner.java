package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.DeleteOptions;
import dev.datachecksums.e2e.testbed.api.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pod's life, from its assignment to this node to the end of its object. All of it happens in the pod's own thread. */
final class PodRunner {
    private static final Logger LOG = LoggerFactory.getLogger(PodRunner.class);
    private static final String COMPONENT = "kubelet";
    private static final Duration PROBE_EVERY = Duration.ofMillis(100);

    private final ObjectNode pod;
    private final String address;
    private final Path home;
    private final ClusterObjects objects;
    private final Volumes volumes;
    private final LocalProcesses processes;
    private final Duration backOff;
    private final List<ContainerRunner> containers = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor thread;
    private final PodStatus status;
    private boolean started;
    private boolean stopping;
    private volatile boolean over;

    /** @param backOff what a container waits before its second restart; then twice that, and so on */
    PodRunner(
            ObjectNode pod,
            String address,
            Path home,
            ClusterObjects objects,
            Volumes volumes,
            LocalProcesses processes,
            Duration backOff) {
        this.pod = pod.deepCopy();
        this.address = address;
        this.home = home;
        this.objects = objects;
        this.volumes = volumes;
        this.processes = processes;
        this.backOff = backOff;
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread t = new Thread(work, "embedded-pod-" + ClusterObjects.name(pod));
            t.setDaemon(true);
            return t;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.status = new PodStatus(this.pod, address, objects);
        ((ObjectNode) this.pod.get("status")).put("podIP", address);
    }

    ObjectNode pod() {
        return pod;
    }

    String address() {
        return address;
    }

    void begin() {
        later(Duration.ZERO, this::prepare);
    }

    /** The pod is to end, within a grace period. */
    void stop(Duration grace) {
        later(Duration.ZERO, () -> terminate(grace));
    }

    /** The object is gone, or we are: when this returns, no process is left. */
    void kill() {
        over = true;
        containers.forEach(ContainerRunner::kill);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("Pod {}: its thread does not end", ClusterObjects.name(pod));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // One may have been started between the first look and the end of the thread.
        containers.forEach(ContainerRunner::kill);
        volumes.unmount(pod);
    }

    private void prepare() {
        if (over) {
            return;
        }
        if (stopping) {
            finishIfEnded();
            return;
        }
        if (containers.isEmpty() && !findImages()) {
            later(Duration.ofSeconds(10), this::prepare);
            return;
        }
        Optional<String> missing = volumes.mount(pod);
        if (missing.isPresent()) {
            objects.event(pod, COMPONENT, "Warning", "FailedMount", missing.get());
            report();
            later(Duration.ofMillis(100), this::prepare);
            return;
        }
        started = true;
        containers.forEach(this::start);
        report();
    }

    private boolean findImages() {
        List<JsonNode> specs = Json.items(Json.at(pod, "spec.containers"));
        for (JsonNode spec : specs) {
            String name = spec.path("image").asText();
            if (Images.find(name).isEmpty()) {
                objects.event(pod, COMPONENT, "Warning", "Failed", "Failed to pull image \"" + name + "\"");
                ContainerRunner none = runner(spec, new Images.Image("", "TERM", false));
                none.waitFor("ErrImagePull", "there is no image " + name + " on this machine");
                containers.add(none);
                report();
                containers.clear();
                return false;
            }
        }
        specs.forEach(spec -> containers.add(
                runner(spec, Images.find(spec.path("image").asText()).orElseThrow())));
        return true;
    }

    private ContainerRunner runner(JsonNode spec, Images.Image image) {
        return new ContainerRunner(spec, image, home.resolve(spec.path("name").asText()), processes);
    }

    private void start(ContainerRunner container) {
        if (stopping || over || container.running()) {
            return;
        }
        try {
            ContainerCommand command = new ContainerCommand(
                    pod, spec(container), container.image(), home.resolve(container.name()), objects);
            var unused =
                    container.start(command).whenComplete((a, failure) -> later(Duration.ZERO, () -> ended(container)));
            objects.event(pod, COMPONENT, "Normal", "Started", "Started container " + container.name());
            if (isServer(container)) {
                later(Duration.ofMillis(20), () -> probe(container));
            } else {
                container.setReady(true);
            }
        } catch (ContainerCommand.MissingException e) {
            container.waitFor("CreateContainerConfigError", String.valueOf(e.getMessage()));
            later(Duration.ofSeconds(1), () -> start(container));
        }
        report();
    }

    /** A postgres container with a readiness probe or without a command of its own is a server, and is ready when that answers. */
    private boolean isServer(ContainerRunner container) {
        return container.image().postgres() && (spec(container).has("readinessProbe") || startsServer(container));
    }

    private boolean startsServer(ContainerRunner container) {
        return spec(container).path("command").isEmpty()
                && Json.items(spec(container).path("args")).stream()
                        .findFirst()
                        .map(a -> a.asText().startsWith("-") || a.asText().equals("postgres"))
                        .orElse(true);
    }

    private JsonNode spec(ContainerRunner container) {
        return Json.items(Json.at(pod, "spec.containers")).stream()
                .filter(c -> c.path("name").asText().equals(container.name()))
                .findFirst()
                .orElseThrow();
    }

    private void probe(ContainerRunner container) {
        if (!container.running() || over) {
            return;
        }
        boolean answers = processes.run(
                        List.of(
                                Path.of(container.image().path(), "pg_isready").toString(),
                                "-q",
                                "-h",
                                address,
                                "-t",
                                "2"),
                        java.util.Map.of())
                == 0;
        if (answers != container.ready() && !stopping) {
            container.setReady(answers);
            report();
        }
        later(answers ? Duration.ofSeconds(1) : PROBE_EVERY, () -> probe(container));
    }

    private void ended(ContainerRunner container) {
        container.ended();
        String policy = Json.text(pod, "spec.restartPolicy");
        boolean again = !stopping
                && !over
                && container.terminated()
                && (policy.equals("Always") || (policy.equals("OnFailure") && container.failed()));
        if (again) {
            Duration delay = container.restarts() == 0
                    ? Duration.ofMillis(300)
                    : backOff.multipliedBy(1L << Math.min(container.restarts() - 1, 5));
            if (container.restarts() > 0) {
                String message =
                        "back-off %ds restarting failed container=%s".formatted(delay.toSeconds(), container.name());
                container.waitFor("CrashLoopBackOff", message);
                objects.event(pod, COMPONENT, "Warning", "BackOff", "Back-off restarting failed container");
            }
            later(delay, () -> start(container));
        }
        report();
        finishIfEnded();
    }

    private void terminate(Duration grace) {
        if (over) {
            return;
        }
        boolean first = !stopping;
        stopping = true;
        if (first) {
            objects.event(pod, COMPONENT, "Normal", "Killing", "Stopping pod " + ClusterObjects.name(pod));
            containers.stream().filter(ContainerRunner::running).forEach(c -> c.signal(stopSignal(c)));
            report();
        }
        later(grace, () -> containers.stream().filter(ContainerRunner::running).forEach(ContainerRunner::kill));
        finishIfEnded();
    }

    private String stopSignal(ContainerRunner container) {
        String wanted = pod.path("metadata")
                .path("annotations")
                .path(EmbeddedNode.STOP_SIGNAL)
                .asText("");
        return wanted.isEmpty() ? container.image().stopSignal() : wanted;
    }

    private void finishIfEnded() {
        if (stopping && !over && containers.stream().noneMatch(ContainerRunner::running)) {
            over = true;
            volumes.unmount(pod);
            report();
            objects.delete(PODS, pod, DeleteOptions.finished(ClusterObjects.uid(pod)));
        }
    }

    private void report() {
        if (!over || stopping) {
            status.write(containers, started, over);
        }
    }

    /** The container of a name; the first for an empty one. */
    Optional<ContainerRunner> container(String name) {
        return containers.stream()
                .filter(c -> name.isEmpty() || c.name().equals(name))
                .findFirst();
    }

    private void later(Duration delay, Runnable work) {
        if (thread.isShutdown()) {
            return;
        }
        try {
            var unused = thread.schedule(() -> guarded(work), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The pod has ended: nothing more is done for it", e);
        }
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("Pod {}: a step failed", ClusterObjects.name(pod), e);
        }
    }
}
