package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Comparator;

/** A namespace as text, for the report of a test that failed. Secrets are left out. */
final class Dump {
    private static final ResourceDefinitionContext DATA_CHECKSUMS = new ResourceDefinitionContext.Builder()
            .withGroup("datachecksums.dev")
            .withVersion("v1alpha1")
            .withKind("DataChecksums")
            .withPlural("datachecksums")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final String namespace;
    private final StringBuilder text = new StringBuilder();

    Dump(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    String write() {
        part(
                "DataChecksums",
                () -> client.genericKubernetesResources(DATA_CHECKSUMS)
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .forEach(this::yaml));
        part(
                "StatefulSets",
                () -> client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
                        .map(s -> s.getMetadata().getName() + " spec.replicas "
                                + s.getSpec().getReplicas() + " " + s.getStatus())
                        .forEach(this::line));
        part(
                "Jobs",
                () -> client.batch().v1().jobs().inNamespace(namespace).list().getItems().stream()
                        .map(j -> j.getMetadata().getName() + " " + j.getStatus())
                        .forEach(this::line));
        part(
                "Events",
                () -> client.v1().events().inNamespace(namespace).list().getItems().stream()
                        .sorted(Comparator.comparing(e -> String.valueOf(e.getLastTimestamp())))
                        .forEach(this::event));
        part(
                "Pods",
                () -> client.pods().inNamespace(namespace).list().getItems().forEach(this::pod));
        return text.toString();
    }

    private void pod(Pod pod) {
        String name = pod.getMetadata().getName();
        line("%s %s deletion %s finalizers %s"
                .formatted(
                        name,
                        pod.getStatus().getPhase(),
                        pod.getMetadata().getDeletionTimestamp(),
                        pod.getMetadata().getFinalizers()));
        for (ContainerStatus container : pod.getStatus().getContainerStatuses()) {
            line("  " + container.getName() + " restarts " + container.getRestartCount() + " " + container.getState());
            part(
                    "Log of " + name + "/" + container.getName(),
                    () -> line(client.pods()
                            .inNamespace(namespace)
                            .withName(name)
                            .inContainer(container.getName())
                            .tailingLines(60)
                            .getLog()));
        }
    }

    private void event(Event event) {
        line("%s %s %s/%s %s: %s (%s)"
                .formatted(
                        event.getLastTimestamp(),
                        event.getType(),
                        event.getInvolvedObject().getKind(),
                        event.getInvolvedObject().getName(),
                        event.getReason(),
                        event.getMessage(),
                        event.getCount()));
    }

    private void yaml(Object object) {
        line(Serialization.asYaml(object));
    }

    private void part(String title, Runnable content) {
        line("== " + title);
        try {
            content.run();
        } catch (KubernetesClientException e) {
            line("cannot be had: " + e.getMessage());
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
