package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the older resource that declares the same server: by the same instanceRef, or by the same system identifier at
 * the same address. The system identifier alone does not do: a clone restored from a base backup has its original's.
 */
final class Conflicts {

    private static final Comparator<DataChecksums> AGE = Comparator.comparing(
                    (DataChecksums d) -> d.getMetadata().getCreationTimestamp())
            .thenComparing(d -> d.getMetadata().getNamespace())
            .thenComparing(d -> d.getMetadata().getName());

    private Conflicts() {}

    /** Resources that share one of a resource's keys declare the same server. */
    static List<String> keys(DataChecksums d) {
        ServerStatus server = d.getStatus() == null ? null : d.getStatus().server();
        return Stream.of(
                        instance(d),
                        server == null ? Optional.<String>empty() : server(server.systemIdentifier(), server.address()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Asked at every look: by key, because a look would else go through all resources that there are. */
    static Optional<String> of(DataChecksums mine, Fact<ServerFacts> server, Declarations all) {
        Optional<String> now = server.seen()
                .flatMap(s -> server(
                        s.systemIdentifier().value().orElse(null), address(s).orElse(null)));
        return Stream.of(instance(mine), now)
                .flatMap(Optional::stream)
                .flatMap(key -> all.by(key).stream())
                .filter(other -> AGE.compare(other, mine) < 0)
                .min(AGE)
                .map(other -> other.getMetadata().getNamespace() + "/"
                        + other.getMetadata().getName());
    }

    private static Optional<String> instance(DataChecksums d) {
        InstanceRef ref = d.getSpec() == null ? null : d.getSpec().instanceRef();
        return Optional.ofNullable(ref)
                .map(r -> "instance " + d.getMetadata().getNamespace() + "/" + r.kind() + "/" + r.name());
    }

    private static Optional<String> server(@Nullable String system, @Nullable String address) {
        return system == null || address == null ? Optional.empty() : Optional.of("server " + system + "@" + address);
    }

    private static Optional<String> address(ServerFacts s) {
        return s.serverAddress().value().flatMap(a -> s.serverPort().value().map(p -> a + ":" + p));
    }
}
