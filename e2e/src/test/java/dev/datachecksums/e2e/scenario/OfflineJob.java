package dev.datachecksums.e2e.scenario;

import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.Step;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The Jobs of a declaration, and what they say. */
final class OfflineJob {
    private static final Duration WITHIN = Duration.ofMinutes(4);

    private final Testbed testbed;
    private final String uid;

    OfflineJob(Testbed testbed, String uid) {
        this.testbed = testbed;
        this.uid = uid;
    }

    List<Job> jobs() {
        return testbed.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(testbed.namespace())
                .withLabel(JobNames.RESOURCE_UID, uid)
                .list()
                .getItems();
    }

    List<Pod> pods() {
        return testbed.client()
                .pods()
                .inNamespace(testbed.namespace())
                .withLabel(JobNames.RESOURCE_UID, uid)
                .list()
                .getItems();
    }

    /** The only one. */
    Pod pod() {
        List<Pod> pods = pods();
        if (pods.size() != 1) {
            throw new IllegalStateException("one pod of a Job expected, not " + pods.size());
        }
        return pods.get(0);
    }

    /** What the Jobs that are there have said so far. */
    String log() {
        StringBuilder text = new StringBuilder();
        for (Pod pod : pods()) {
            try {
                text.append(testbed.client()
                        .pods()
                        .inNamespace(testbed.namespace())
                        .withName(pod.getMetadata().getName())
                        .inContainer(ConversionJob.CONTAINER)
                        .getLog());
            } catch (KubernetesClientException e) {
                // Its container has not started, or it has just gone.
                text.append("");
            }
        }
        return text.toString();
    }

    boolean said(Step step) {
        return log().toLowerCase(Locale.ROOT)
                .contains("\"step\":\"" + step.name().toLowerCase(Locale.ROOT) + "\"");
    }

    void awaitStep(Step step) {
        await(step.toString())
                .atMost(WITHIN)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> said(step));
    }
}
