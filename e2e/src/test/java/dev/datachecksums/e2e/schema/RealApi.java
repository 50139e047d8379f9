package dev.datachecksums.e2e.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** $KUBECONFIG's API server with the committed CRD, and a namespace that goes with this object. */
final class RealApi implements AutoCloseable {
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final String namespace;

    RealApi(String prefix) {
        this.namespace = prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    void prepare() {
        var definition = client.resource(CrdSchema.committed().definition());
        definition.forceConflicts().serverSideApply();
        definition.waitUntilCondition(
                crd -> crd != null
                        && crd.getStatus() != null
                        && crd.getStatus().getConditions().stream()
                                .anyMatch(c -> Objects.equals(c.getType(), "Established")
                                        && Objects.equals(c.getStatus(), "True")),
                30,
                TimeUnit.SECONDS);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    /** Untyped, so that what the Java types could not say can be sent too. */
    NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            dataChecksums() {
        return client.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(DataChecksums.class))
                .inNamespace(namespace);
    }

    /** The resources of the namespace as kubectl asks for them. */
    JsonNode table() {
        HttpClient http = client.getHttpClient();
        URI uri = URI.create(client.getMasterUrl() + "apis/" + DataChecksums.GROUP + "/" + DataChecksums.VERSION
                + "/namespaces/" + namespace + "/datachecksums");
        String body = http.sendAsync(
                        http.newHttpRequestBuilder()
                                .uri(uri)
                                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                                .build(),
                        String.class)
                .join()
                .body();
        return Serialization.unmarshal(body, JsonNode.class);
    }

    @Override
    public void close() {
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}
