package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether something beside the StatefulSet decides which of its pods is the primary, such as Patroni. It would fail over while a
 * pod is stopped for its conversion, and may have the old primary rewound from a server whose checksums differ, which ruins it.
 * Judged by the template and by who owns the set; what hides from both is not found. Pure.
 */
final class Managers {

    private static final Map<String, String> BY_VARIABLE = Map.of(
            "PATRONI_", "Patroni",
            "SPILO_", "Patroni (Spilo)",
            "REPMGR_", "repmgr",
            "PG_AUTOCTL_", "pg_auto_failover",
            "STKEEPER_", "Stolon");

    private static final List<String> IMAGES = List.of("spilo", "patroni", "repmgr", "stolon", "pg_auto_failover");

    private Managers() {}

    /** What it is, in words. */
    static Optional<String> of(StatefulSet set) {
        return owner(set)
                .or(() -> containers(set)
                        .flatMap(c -> Stream.concat(byVariable(c).stream(), byImage(c).stream()))
                        .findFirst());
    }

    private static Optional<String> owner(StatefulSet set) {
        return set.getMetadata().getOwnerReferences() == null
                ? Optional.empty()
                : set.getMetadata().getOwnerReferences().stream()
                        .filter(o -> Boolean.TRUE.equals(o.getController()))
                        .map(o -> o.getKind() + " " + o.getName() + ", which owns the StatefulSet")
                        .findFirst();
    }

    private static Stream<Container> containers(StatefulSet set) {
        return set.getSpec().getTemplate() == null
                        || set.getSpec().getTemplate().getSpec() == null
                ? Stream.empty()
                : set.getSpec().getTemplate().getSpec().getContainers().stream();
    }

    private static Optional<String> byVariable(Container c) {
        return c.getEnv() == null
                ? Optional.empty()
                : c.getEnv().stream()
                        .flatMap(e -> BY_VARIABLE.entrySet().stream()
                                .filter(m -> e.getName().startsWith(m.getKey()))
                                .map(m -> m.getValue() + " (environment variable " + e.getName() + ")"))
                        .findFirst();
    }

    private static Optional<String> byImage(Container c) {
        return Optional.ofNullable(c.getImage())
                .filter(i -> IMAGES.stream().anyMatch(i::contains))
                .map(i -> "what the image " + i + " brings");
    }
}
