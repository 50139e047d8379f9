package dev.datachecksums.e2e.bench;

import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a Job's log while it is there, and says how long its steps took. */
final class JobSteps implements AutoCloseable {

    private static final Pattern STEP = Pattern.compile("\"step\":\"(\\w+)\",\"ms\":(\\d+)");
    private static final Duration OFTEN = Duration.ofMillis(200);

    private final Testbed testbed;
    private final Thread thread = new Thread(this::run, "job-steps");
    private volatile boolean ended;
    private volatile String log = "";

    JobSteps(Testbed testbed) {
        this.testbed = testbed;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!ended) {
            try {
                for (Pod pod : testbed.client()
                        .pods()
                        .inNamespace(testbed.namespace())
                        .withLabel(JobNames.RESOURCE_UID)
                        .list()
                        .getItems()) {
                    String now = testbed.client()
                            .pods()
                            .inNamespace(testbed.namespace())
                            .withName(pod.getMetadata().getName())
                            .inContainer(ConversionJob.CONTAINER)
                            .getLog();
                    log = now.length() > log.length() ? now : log;
                }
            } catch (KubernetesClientException e) {
                // Its container has not started, or it has just gone: looked at again at once.
                Waits.pause(OFTEN);
            }
            Waits.pause(OFTEN);
        }
    }

    /** From one step to the next, in milliseconds, by the Job's clock; of a step said often, the first time. */
    String intervals() {
        Map<String, Long> first = new LinkedHashMap<>();
        Matcher m = STEP.matcher(log);
        while (m.find()) {
            first.putIfAbsent(m.group(1), Long.valueOf(m.group(2)));
        }
        StringJoiner words = new StringJoiner(", ");
        long before = 0;
        for (Map.Entry<String, Long> step : first.entrySet()) {
            words.add(step.getKey() + (before == 0 ? "" : " +" + (step.getValue() - before)));
            before = step.getValue();
        }
        return words.toString();
    }

    @Override
    public void close() {
        ended = true;
    }
}
