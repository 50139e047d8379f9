package dev.datachecksums.operator;

import dev.datachecksums.operator.observe.ApiProblem;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for the API server: a process that ended because it is away would be backed off by its kubelet, for minutes. */
final class ApiWait {

    private static final Logger LOG = LoggerFactory.getLogger(ApiWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private ApiWait() {}

    /** Returns once it answers, whatever it answers: what it refuses is told by who needs it. */
    static void until(KubernetesClient api) {
        for (boolean told = false; !Thread.currentThread().isInterrupted() && !answers(api); told = true) {
            if (!told) {
                LOG.warn("waiting for the Kubernetes API at {}", api.getMasterUrl());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean answers(KubernetesClient api) {
        try {
            api.getKubernetesVersion();
            return true;
        } catch (KubernetesClientException e) {
            return !ApiProblem.kind(e).equals(ApiProblem.UNAVAILABLE);
        }
    }
}
