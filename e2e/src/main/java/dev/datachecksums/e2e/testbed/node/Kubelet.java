package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.uid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import dev.datachecksums.e2e.testbed.api.LogSource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Scheduler and kubelet of the one node: gives each pod to a runner of its own and tells it of its deletion. */
final class Kubelet implements ControlLoop.Controller {
    private final ClusterObjects objects;
    private final Volumes volumes;
    private final LocalProcesses processes;
    private final PodAddresses addresses;
    private final Path home;
    private final Duration backOff;
    private final Map<String, PodRunner> runners = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final Map<String, Long> graces = new ConcurrentHashMap<>();

    Kubelet(
            ClusterObjects objects,
            Volumes volumes,
            LocalProcesses processes,
            PodAddresses addresses,
            Path home,
            Duration backOff) {
        this.objects = objects;
        this.volumes = volumes;
        this.processes = processes;
        this.addresses = addresses;
        this.home = home;
        this.backOff = backOff;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        List<ObjectNode> pods = objects.list(PODS);
        endTheGone(pods.stream().map(ClusterObjects::uid).collect(Collectors.toSet()));
        for (ObjectNode pod : pods) {
            String node = Json.text(pod, "spec.nodeName");
            if (node.isEmpty() && !terminating(pod)) {
                objects.change(PODS, pod, p -> ((ObjectNode) p.get("spec")).put("nodeName", EmbeddedNode.NAME));
                objects.event(
                        pod,
                        "default-scheduler",
                        "Normal",
                        "Scheduled",
                        "Successfully assigned %s to %s".formatted(ClusterObjects.name(pod), EmbeddedNode.NAME));
            } else if (node.equals(EmbeddedNode.NAME)) {
                sync(pod);
            }
        }
    }

    /** Before another pod of the same name finds their directories. */
    private void endTheGone(Set<String> present) {
        runners.forEach((uid, runner) -> {
            if (!present.contains(uid)) {
                runner.kill();
                runners.remove(uid);
                graces.remove(uid);
            }
        });
    }

    private void sync(ObjectNode pod) {
        PodRunner runner = runners.computeIfAbsent(uid(pod), uid -> {
            String address = addresses.next();
            // A short name: the path of a server's socket has room for 107 bytes.
            Path own = home.resolve(Integer.toString(runs.incrementAndGet(), 36));
            PodRunner fresh = new PodRunner(pod, address, own, objects, volumes, processes, backOff);
            fresh.begin();
            return fresh;
        });
        if (terminating(pod)) {
            long grace = ClusterObjects.metadata(pod)
                    .path("deletionGracePeriodSeconds")
                    .asLong();
            Long known = graces.put(uid(pod), grace);
            if (known == null || grace < known) {
                runner.stop(Duration.ofSeconds(grace));
            }
        }
    }

    /** The runner of the pod that has a name now. */
    Optional<PodRunner> runner(String namespace, String name) {
        return objects.find(PODS, namespace, name).map(pod -> runners.get(uid(pod)));
    }

    /** As {@link LogSource#open} says. */
    LogSource.Log log(LogSource.Wish wish) {
        ContainerRunner container = runner(wish.namespace(), wish.pod())
                .flatMap(r -> r.container(wish.container()))
                .filter(ContainerRunner::everStarted)
                .orElseThrow(() -> LogSource.unavailable(
                        "container \"%s\" in pod \"%s\" is waiting to start".formatted(wish.container(), wish.pod())));
        ContainerLog log = wish.previous() ? container.previousLog() : container.log();
        if (log == null) {
            throw LogSource.unavailable("previous terminated container \"%s\" in pod \"%s\" not found"
                    .formatted(container.name(), wish.pod()));
        }
        Instant since = wish.sinceSeconds() == Long.MAX_VALUE
                ? Instant.MIN
                : Instant.now().minusSeconds(wish.sinceSeconds());
        boolean follow = wish.follow() && !wish.previous();
        return out -> log.copyTo(out, wish.tailLines().orElse(-1), since, wish.timestamps(), follow);
    }

    void killAll() {
        runners.values().forEach(PodRunner::kill);
    }
}
