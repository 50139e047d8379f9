package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.e2e.load.ReadyWatch;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.Testbed;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A DataChecksums resource of a scenario. Fields of its spec are given as dotted path and value, in pairs. */
final class Declaration {
    private static final Duration WITHIN = Duration.ofMinutes(4);
    private static final Set<String> OVERRUN = Set.of("NotArmed", "InterlockLost", "StopTimeout", "ServerVanished");

    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Testbed testbed;
    private final String name;
    private final OfflineJob job;

    private Declaration(Testbed testbed, String name, String uid) {
        this.testbed = testbed;
        this.name = name;
        this.job = new OfflineJob(testbed, uid);
    }

    static Declaration create(Testbed testbed, String name, PostgresInstance server, Object... fields) {
        Map<String, Object> object = new HashMap<>(Map.of(
                "apiVersion", "datachecksums.dev/v1alpha1",
                "kind", "DataChecksums",
                "metadata", Map.of("name", name, "namespace", testbed.namespace())));
        put(object, "spec.state", "Enabled");
        put(object, "spec.instanceRef.name", server.name());
        put(object, "spec.connection.credentials.secretName", server.secretName());
        for (int i = 0; i < fields.length; i += 2) {
            put(object, "spec." + fields[i], fields[i + 1]);
        }
        DataChecksums made = testbed.client()
                .resource(Serialization.unmarshal(Serialization.asJson(object), DataChecksums.class))
                .create();
        return new Declaration(testbed, name, made.getMetadata().getUid());
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> object, String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            object.put(path, value);
        } else {
            put(
                    (Map<String, Object>) object.computeIfAbsent(path.substring(0, dot), k -> new HashMap<>()),
                    path.substring(dot + 1),
                    value);
        }
    }

    /** The finalizers on all declarations about a server. */
    static List<String> finalizers(Testbed testbed, PostgresInstance server) {
        return testbed
                .client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .list()
                .getItems()
                .stream()
                .filter(d -> d.getSpec().instanceRef() != null
                        && d.getSpec().instanceRef().name().equals(server.name()))
                .flatMap(d -> d.getMetadata().getFinalizers().stream())
                .toList();
    }

    private Resource<DataChecksums> handle() {
        return testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(name);
    }

    String name() {
        return name;
    }

    void annotate(String key, String value) {
        handle().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", Map.of("annotations", Map.of(key, value)))));
    }

    OfflineJob job() {
        return job;
    }

    DataChecksums get() {
        return Objects.requireNonNull(handle().get(), name);
    }

    DataChecksumsStatus status() {
        return statusOf(get());
    }

    private static DataChecksumsStatus statusOf(DataChecksums d) {
        return d.getStatus() == null ? DataChecksumsStatus.EMPTY : d.getStatus();
    }

    /** Changes one field of the spec; null removes it. */
    void set(String path, @Nullable Object value) {
        Map<String, Object> patch = new HashMap<>();
        put(patch, "spec." + path, value == null ? JSON.nullNode() : value);
        handle().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        JSON.valueToTree(patch).toString());
    }

    /** What a person does with kubectl edit --subresource=status, and a restored backup by itself. */
    void removeStatus() {
        handle().subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
    }

    /** Asks for its deletion, and returns at once. */
    void delete() {
        handle().delete();
    }

    void awaitGone() {
        org.awaitility.Awaitility.await(name + " gone")
                .atMost(WITHIN)
                .pollInterval(OFTEN)
                .until(() -> handle().get() == null);
    }

    DataChecksumsStatus await(String what, Predicate<DataChecksumsStatus> condition) {
        return awaitObject(what, d -> d.getStatus() != null && condition.test(d.getStatus()))
                .getStatus();
    }

    DataChecksums awaitObject(String what, Predicate<DataChecksums> condition) {
        return org.awaitility.Awaitility.await(name + ": " + what)
                .atMost(WITHIN)
                .pollInterval(OFTEN)
                .until(this::get, condition);
    }

    /** Waits until a report about this generation says that the server is as declared, and nothing is under way. */
    DataChecksumsStatus awaitConverged(DesiredState state) {
        DataChecksumsStatus status = awaitObject(
                        "converged to " + state,
                        d -> d.getSpec().state() == state
                                && current(d)
                                && statusOf(d).phase() == Phase.CONVERGED
                                && statusOf(d).conversion() == null)
                .getStatus();
        assertThat(condition(status, "Ready").status()).isEqualTo("True");
        assertThat(condition(status, "Reconciling").status()).isEqualTo("False");
        assertThat(condition(status, "Stalled").status()).isEqualTo("False");
        return status;
    }

    /** Waits until the report about this generation has that phase. */
    DataChecksumsStatus awaitPhase(Phase phase) {
        return awaitObject(phase.toString(), d -> current(d) && statusOf(d).phase() == phase)
                .getStatus();
    }

    private static boolean current(DataChecksums d) {
        return d.getMetadata().getGeneration().equals(statusOf(d).observedGeneration());
    }

    /** Waits until the gate names that check. */
    BlockerStatus awaitBlocker(String check) {
        return Objects.requireNonNull(blocker(await("blocked by " + check, s -> blocker(s, check) != null), check));
    }

    private static @Nullable BlockerStatus blocker(DataChecksumsStatus status, String check) {
        return status.blockers() == null
                ? null
                : status.blockers().stream()
                        .filter(b -> b.check().equals(check))
                        .findFirst()
                        .orElse(null);
    }

    static StatusCondition condition(DataChecksumsStatus status, String type) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no condition " + type + " in " + status));
    }

    static int attempts(DataChecksumsStatus status) {
        AttemptsStatus attempts = status.attempts();
        return attempts == null || attempts.count() == null ? 0 : attempts.count();
    }

    /** Exactly one, unless a stop has missed its bounds: it is given up, harmlessly, and nothing but too slow a machine does that here. */
    void assertOneTry(LastConversion last) {
        if (!Integer.valueOf(1).equals(last.attempts())) {
            assertThat(events())
                    .as("why it took %d tries", last.attempts())
                    .anyMatch(told -> OVERRUN.stream().anyMatch(reason -> told.startsWith(reason + ":")));
        }
    }

    /** The reasons of the events about it. */
    List<String> eventReasons() {
        return told().map(Event::getReason).toList();
    }

    /** The events about it, for a person. */
    List<String> events() {
        return told().map(e -> e.getReason() + ": " + e.getMessage()).toList();
    }

    private Stream<Event> told() {
        String uid = get().getMetadata().getUid();
        return testbed.client().v1().events().inNamespace(testbed.namespace()).list().getItems().stream()
                .filter(e -> uid.equals(e.getInvolvedObject().getUid()));
    }

    /** Looks all along whether its Ready is honest, until it is closed. */
    ReadyWatch watch(PostgresInstance server) {
        return ReadyWatch.start(handle(), server::connect);
    }

    /** Ready was never True while the server said otherwise, and was seen True and not True. */
    static void assertHonest(ReadyWatch watch) {
        assertThat(watch.takeLies()).isEmpty();
        assertThat(watch.looks()).isGreaterThan(watch.ready());
        assertThat(watch.ready()).isPositive();
    }

    void awaitEvent(String reason) {
        org.awaitility.Awaitility.await(name + ": event " + reason)
                .atMost(WITHIN)
                .pollInterval(OFTEN)
                .untilAsserted(() -> assertThat(eventReasons()).contains(reason));
    }
}
