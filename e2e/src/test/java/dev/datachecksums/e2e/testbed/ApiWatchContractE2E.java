package dev.datachecksums.e2e.testbed;

import static dev.datachecksums.e2e.testbed.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Selecting, watching and collecting garbage, on both APIs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiWatchContractE2E {
    private final Testbed testbed = Testbeds.open();
    private final KubernetesClient client = testbed.client();
    private final String namespace = testbed.namespace();

    @AfterAll
    void close() {
        testbed.close();
    }

    @Test
    void labelSelectorsSelect() {
        create("s1", Map.of("set", "s", "tier", "a"));
        create("s2", Map.of("set", "s", "tier", "b"));
        create("s3", Map.of("set", "s"));
        assertThat(names("set=s,tier=a")).containsExactly("s1");
        assertThat(names("set=s,tier!=a")).containsExactly("s2", "s3");
        assertThat(names("set=s,tier in (a, b)")).containsExactly("s1", "s2");
        assertThat(names("set=s,tier notin (a)")).containsExactly("s2", "s3");
        assertThat(names("set=s,tier")).containsExactly("s1", "s2");
        assertThat(names("set==s,!tier")).containsExactly("s3");
        refused(400, "BadRequest", () -> names("set==" + "=s"));
    }

    @Test
    void fieldSelectorsSelectWhatIsOffered() {
        create("f1", Map.of());
        assertThat(client.configMaps()
                        .inNamespace(namespace)
                        .withField("metadata.name", "f1")
                        .list()
                        .getItems())
                .hasSize(1);
        refused(
                400,
                "BadRequest",
                () -> client.configMaps()
                        .inNamespace(namespace)
                        .withField("data.a", "b")
                        .list());
        assertThat(client.pods()
                        .inNamespace(namespace)
                        .withField("status.phase", "Nonsense")
                        .list()
                        .getItems())
                .isEmpty();
        try (Widgets widgets = new Widgets(client)) {
            var all = widgets.all().inNamespace(namespace);
            all.resource(widgets.widget("red", Map.of("size", 1))).create();
            all.resource(widgets.widget("green", Map.of("size", 1, "colour", "green")))
                    .create();
            assertThat(all.withField("spec.colour", "green").list().getItems())
                    .extracting(w -> w.getMetadata().getName())
                    .containsExactly("green");
            refused(400, "BadRequest", () -> all.withField("spec.size", "1").list());
        }
    }

    @Test
    void aWatchWithoutVersionFirstTellsWhatThereIs() {
        create("w1", Map.of("watch", "one"));
        try (Seen seen = new Seen()) {
            seen.watch = client.configMaps()
                    .inNamespace(namespace)
                    .withLabel("watch", "one")
                    .watch(seen);
            seen.await("ADDED w1");
            create("w2", Map.of("watch", "one"));
            create("other", Map.of("watch", "two"));
            label("w1", "more", "x");
            label("w1", "watch", "two");
            label("w1", "watch", "one");
            client.configMaps().inNamespace(namespace).withName("w2").delete();
            seen.await("ADDED w1", "ADDED w2", "MODIFIED w1", "DELETED w1", "ADDED w1", "DELETED w2");
        }
    }

    @Test
    void aWatchFromAVersionTellsWhatCameAfterIt() {
        create("v1", Map.of("versions", "y"));
        String version = client.configMaps()
                .inNamespace(namespace)
                .withLabel("versions", "y")
                .list()
                .getMetadata()
                .getResourceVersion();
        label("v1", "more", "x");
        try (Seen seen = new Seen()) {
            seen.watch = client.configMaps()
                    .inNamespace(namespace)
                    .withLabel("versions", "y")
                    .watch(new ListOptionsBuilder().withResourceVersion(version).build(), seen);
            seen.await("MODIFIED v1");
        }
    }

    @Test
    void aWatchEndsAtItsTimeoutWithoutAnError() {
        String path = "/api/v1/namespaces/" + namespace + "/configmaps?watch=true&timeoutSeconds=1&resourceVersion="
                + client.configMaps()
                        .inNamespace(namespace)
                        .list()
                        .getMetadata()
                        .getResourceVersion()
                + "&labelSelector=never";
        assertThat(client.raw(path)).isEmpty();
    }

    @Test
    void whatLostItsOwnerIsCollectedUnlessItIsOrphaned() {
        ConfigMap owner = create("owner", Map.of());
        owned("owned", owner);
        client.resource(owner)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        await().atMost(Duration.ofSeconds(60)).until(() -> get("owned") == null);

        ConfigMap parent = create("parent", Map.of());
        owned("orphan", parent);
        client.resource(parent)
                .withPropagationPolicy(DeletionPropagation.ORPHAN)
                .delete();
        await().atMost(Duration.ofSeconds(60)).until(() -> get("parent") == null);
        ConfigMap orphan = Objects.requireNonNull(get("orphan"));
        assertThat(orphan.getMetadata().getOwnerReferences()).isEmpty();

        ConfigMap first = create("first", Map.of());
        ConfigMap second = owned("second", first);
        label("second", "a", "b");
        client.resource(first)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        await().atMost(Duration.ofSeconds(60)).until(() -> get("first") == null);
        assertThat(get("second")).isNull();
        assertThat(second.getMetadata().getOwnerReferences()).hasSize(1);
    }

    @Test
    void aNamespaceTakesWhatIsInItAlong() {
        String name = "dck-contract-" + Long.toString(System.nanoTime(), 36);
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client.configMaps().inNamespace(name).resource(map("inside", Map.of())).create();
        client.namespaces().withName(name).delete();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> client.namespaces().withName(name).get() == null);
        assertThat(client.configMaps().inNamespace(name).list().getItems()).isEmpty();
    }

    private List<String> names(String selector) {
        return client
                .configMaps()
                .inNamespace(namespace)
                .list(new ListOptionsBuilder().withLabelSelector(selector).build())
                .getItems()
                .stream()
                .map(m -> m.getMetadata().getName())
                .toList();
    }

    private @Nullable ConfigMap get(String name) {
        return client.configMaps().inNamespace(namespace).withName(name).get();
    }

    private void label(String name, String key, String value) {
        client.configMaps()
                .inNamespace(namespace)
                .withName(name)
                .edit(m -> new ConfigMapBuilder(m)
                        .editMetadata()
                        .addToLabels(key, value)
                        .endMetadata()
                        .build());
    }

    private ConfigMap create(String name, Map<String, String> labels) {
        return client.configMaps()
                .inNamespace(namespace)
                .resource(map(name, labels))
                .create();
    }

    private static ConfigMap map(String name, Map<String, String> labels) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private ConfigMap owned(String name, ConfigMap owner) {
        return client.configMaps()
                .inNamespace(namespace)
                .resource(new ConfigMapBuilder(map(name, Map.of()))
                        .editMetadata()
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("ConfigMap")
                                .withName(owner.getMetadata().getName())
                                .withUid(owner.getMetadata().getUid())
                                .withBlockOwnerDeletion(true)
                                .build())
                        .endMetadata()
                        .build())
                .create();
    }

    /** The events of a watch, as words. */
    private static final class Seen implements Watcher<ConfigMap>, AutoCloseable {
        private @Nullable Watch watch;
        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void eventReceived(Action action, ConfigMap map) {
            events.add(action + " " + map.getMetadata().getName());
        }

        @Override
        public void onClose(@Nullable WatcherException cause) {
            events.add("CLOSED " + cause);
        }

        @Override
        public void close() {
            if (watch != null) {
                watch.close();
            }
        }

        void await(String... expected) {
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(events).containsExactly(expected));
        }
    }
}
