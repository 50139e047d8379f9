package dev.datachecksums.operator.offline;

import static dev.datachecksums.operator.instance.Pods.container;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.operator.instance.Pods;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Jobs in place, of a database's pod, and what is in them. */
final class InPlaceJobs {

    static final Owner OWNER = new Owner("ns", "orders", "owner-uid");
    static final String DATA = "/var/lib/postgresql/data";

    private InPlaceJobs() {}

    static JobSpec spec(Mode mode) {
        return new JobSpec(
                mode,
                DATA + "/$(pg)",
                Optional.of("/usr/lib/postgresql/17/bin"),
                999,
                998,
                Optional.of("s0:c1,c2"),
                Optional.of("10.0.0.7"),
                5433,
                Duration.ofMinutes(10),
                Duration.ofSeconds(20),
                Duration.ofMinutes(30),
                SyncMethod.SYNCFS);
    }

    static Job build(Pod pod) {
        return ConversionJob.inPlace().build(OWNER, "job", pod, "pg", List.of(), spec(Mode.ENABLE));
    }

    static PodSpec podSpec(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }

    static Container only(Job job) {
        assertThat(podSpec(job).getContainers()).hasSize(1);
        return podSpec(job).getContainers().get(0);
    }

    static Pod pod() {
        return Pods.of(container("pg", "data:" + DATA), container("sidecar", "scratch:/x"));
    }
}
