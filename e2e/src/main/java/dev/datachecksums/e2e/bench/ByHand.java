package dev.datachecksums.e2e.bench;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Locale;

/**
 * What a careful person does without the operator: scale to zero, wait, run a Job with pg_checksums from the same image
 * on the claim, wait, scale up, wait. Through the API and not by kubectl, which would only be slower.
 */
final class ByHand {

    private final KubernetesClient client;
    private final String namespace;
    private final PostgresInstance postgres;
    private int runs;

    ByHand(Testbed testbed, PostgresInstance postgres) {
        this.client = testbed.client();
        this.namespace = testbed.namespace();
        this.postgres = postgres;
    }

    void convert(boolean enable) {
        String image =
                postgres.pod().orElseThrow().getSpec().getContainers().get(0).getImage();
        var mount = postgres.pod().orElseThrow().getSpec().getContainers().get(0).getVolumeMounts().stream()
                .filter(m -> postgres.dataDirectory().startsWith(m.getMountPath()))
                .findFirst()
                .orElseThrow();
        postgres.scale(0);
        runs++;
        String name = String.format(Locale.ROOT, "by-hand-%d", runs);
        Job job = new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(0)
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("pg-checksums")
                .withImage(image)
                .withImagePullPolicy("IfNotPresent")
                .withCommand(
                        "sh",
                        "-c",
                        "run() { if [ \"$(id -u)\" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups \"$@\"; else \"$@\"; fi; };"
                                + " run pg_checksums --" + (enable ? "enable" : "disable") + " -D "
                                + postgres.dataDirectory())
                .addNewVolumeMount()
                .withName("data")
                .withMountPath(mount.getMountPath())
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim()
                .withClaimName(postgres.claimName())
                .endPersistentVolumeClaim()
                .endVolume()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        client.batch().v1().jobs().inNamespace(namespace).resource(job).create();
        Waits.until("the Job by hand is complete", () -> {
            Job now = client.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withName(name)
                    .get();
            return now.getStatus() != null
                    && now.getStatus().getSucceeded() != null
                    && now.getStatus().getSucceeded() == 1;
        });
        postgres.scale(1);
    }

    /** The plain restart: {@code kubectl delete pod}. */
    void deletePod() {
        String uid = postgres.pod().orElseThrow().getMetadata().getUid();
        client.pods().inNamespace(namespace).withName(postgres.podName()).delete();
        Waits.until(
                "another pod",
                () -> postgres.pod()
                        .filter(p -> !p.getMetadata().getUid().equals(uid))
                        .isPresent());
        postgres.awaitReady();
    }
}
