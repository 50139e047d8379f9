package dev.datachecksums.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How long after a word of the Job it stands in the status: from the time in the Job's own line, by the clock of the node, to the first
 * look that finds it. Lines are that the server has stopped, and each count of bytes.
 */
final class ProgressLag implements AutoCloseable {

    private static final Duration STEP = Duration.ofMillis(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Seen(Instant at, boolean rewriting, long bytesDone) {}

    private final KubernetesClient client;
    private final String namespace;
    private final Resource<DataChecksums> resource;
    private final Thread thread = new Thread(this::run, "progress-lag");
    private final List<Duration> lags = new ArrayList<>();
    private volatile boolean ended;

    ProgressLag(Testbed testbed, Resource<DataChecksums> resource) {
        this.client = testbed.client();
        this.namespace = testbed.namespace();
        this.resource = resource;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        List<Seen> seen = new ArrayList<>();
        String log = "";
        while (!ended) {
            try {
                DataChecksums now = resource.get();
                DataChecksumsStatus status = now == null ? null : now.getStatus();
                ConversionStatus conversion = status == null ? null : status.conversion();
                if (status != null && conversion != null) {
                    ProgressStatus progress = status.progress();
                    Long bytes = progress == null ? null : progress.bytesDone();
                    seen.add(new Seen(Instant.now(), status.phase() == Phase.REWRITING, bytes == null ? 0 : bytes));
                    String more = log(conversion.id());
                    log = more.length() > log.length() ? more : log;
                } else if (!seen.isEmpty()) {
                    count(seen, log);
                    seen.clear();
                    log = "";
                }
            } catch (KubernetesClientException | IOException e) {
                // The Job, or its pod, has just gone: the next look.
            }
            Waits.pause(STEP);
        }
    }

    private String log(String job) {
        Optional<Pod> pod = client.pods().inNamespace(namespace).withLabel("job-name", job).list().getItems().stream()
                .findFirst();
        return pod.map(p -> client.raw("/api/v1/namespaces/" + namespace + "/pods/"
                        + p.getMetadata().getName() + "/log"))
                .orElse("");
    }

    private synchronized void count(List<Seen> seen, String log) throws IOException {
        for (String line : log.lines().toList()) {
            JsonNode said = JSON.readTree(line);
            String step = said.path("step").asText();
            long done = said.path("doneBytes").asLong();
            Instant at = Instant.ofEpochMilli(said.path("ms").asLong());
            if (step.equals("stopped") || (step.equals("rewriting") && done > 0)) {
                seen.stream()
                        .filter(s -> s.rewriting() && s.bytesDone() >= done)
                        .findFirst()
                        .ifPresent(s -> lags.add(Duration.between(at, s.at())));
            }
        }
    }

    /** All so far, the shortest first. */
    synchronized List<Duration> lags() {
        return lags.stream().sorted().toList();
    }

    @Override
    public void close() {
        ended = true;
    }
}
