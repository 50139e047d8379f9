package dev.datachecksums.e2e.testbed;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Map;

/** A custom resource of the contract's own, under a group that no other run has. */
final class Widgets implements AutoCloseable {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.GROUP}
            spec:
              group: GROUP
              scope: Namespaced
              names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wdg]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                selectableFields: [{jsonPath: .spec.colour}]
                additionalPrinterColumns:
                - {name: Colour, type: string, jsonPath: .spec.colour}
                - {name: Phase, type: string, jsonPath: .status.phase}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, minimum: 1}
                          colour: {type: string, enum: [red, green], default: red}
                          policy:
                            type: object
                            default: {}
                            properties:
                              attempts: {type: integer, default: 3}
                          tags: {type: array, items: {type: string}}
                      status:
                        type: object
                        properties:
                          phase: {type: string}
            """;

    private final KubernetesClient client;
    private final String group = "c" + Long.toString(System.nanoTime(), 36) + ".datachecksums.dev";
    private final CustomResourceDefinition definition;

    Widgets(KubernetesClient client) {
        this.client = client;
        this.definition = Serialization.unmarshal(DEFINITION.replace("GROUP", group), CustomResourceDefinition.class);
        client.resource(definition).create();
        await().ignoreException(KubernetesClientException.class)
                .atMost(Duration.ofSeconds(30))
                .until(() -> all().list() != null);
    }

    String apiVersion() {
        return group + "/v1";
    }

    /** For {@code raw} requests. */
    String path(String namespace, String rest) {
        return "/apis/" + apiVersion() + "/namespaces/" + namespace + "/widgets" + rest;
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            all() {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion("v1")
                .withKind("Widget")
                .withPlural("widgets")
                .withNamespaced(true)
                .build());
    }

    GenericKubernetesResource widget(String name, Map<String, Object> spec) {
        GenericKubernetesResource widget = new GenericKubernetesResource();
        widget.setApiVersion(apiVersion());
        widget.setKind("Widget");
        widget.setMetadata(new ObjectMetaBuilder().withName(name).build());
        widget.setAdditionalProperty("spec", spec);
        return widget;
    }

    CustomResourceDefinition definition() {
        return definition;
    }

    @Override
    public void close() {
        client.resource(definition).delete();
    }
}
