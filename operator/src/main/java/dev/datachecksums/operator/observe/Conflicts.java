package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.Comparator;
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

    /** Asked at every look, of all resources that there are: what tells most of them apart comes first, and ages last. */
    static Optional<String> of(DataChecksums mine, Fact<ServerFacts> server, Stream<DataChecksums> all) {
        InstanceRef instance = mine.getSpec().instanceRef();
        String system = server.seen().flatMap(s -> s.systemIdentifier().value()).orElse(null);
        String address = server.seen().flatMap(Conflicts::address).orElse(null);
        return all.filter(other -> sameServer(system, address, other) || sameInstance(instance, mine, other))
                .filter(other ->
                        !other.getMetadata().getUid().equals(mine.getMetadata().getUid()))
                .filter(other -> AGE.compare(other, mine) < 0)
                .min(AGE)
                .map(other -> other.getMetadata().getNamespace() + "/"
                        + other.getMetadata().getName());
    }

    private static boolean sameInstance(@Nullable InstanceRef instance, DataChecksums mine, DataChecksums other) {
        InstanceRef theirs = other.getSpec() == null ? null : other.getSpec().instanceRef();
        return instance != null
                && theirs != null
                && instance.name().equals(theirs.name())
                && instance.kind().equals(theirs.kind())
                && mine.getMetadata().getNamespace().equals(other.getMetadata().getNamespace());
    }

    private static boolean sameServer(@Nullable String system, @Nullable String address, DataChecksums other) {
        ServerStatus theirs =
                other.getStatus() == null ? null : other.getStatus().server();
        return system != null
                && address != null
                && theirs != null
                && system.equals(theirs.systemIdentifier())
                && address.equals(theirs.address());
    }

    private static Optional<String> address(ServerFacts s) {
        return s.serverAddress().value().flatMap(a -> s.serverPort().value().map(p -> a + ":" + p));
    }
}
