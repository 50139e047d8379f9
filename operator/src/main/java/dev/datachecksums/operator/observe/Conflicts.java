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

    static Optional<String> of(DataChecksums mine, Fact<ServerFacts> server, Stream<DataChecksums> all) {
        return all.filter(other ->
                        !other.getMetadata().getUid().equals(mine.getMetadata().getUid()))
                .filter(other -> AGE.compare(other, mine) < 0)
                .filter(other -> sameInstance(mine, other) || sameServer(server, other))
                .min(AGE)
                .map(other -> other.getMetadata().getNamespace() + "/"
                        + other.getMetadata().getName());
    }

    private static boolean sameInstance(DataChecksums mine, DataChecksums other) {
        InstanceRef a = mine.getSpec().instanceRef();
        InstanceRef b = other.getSpec() == null ? null : other.getSpec().instanceRef();
        return a != null
                && b != null
                && mine.getMetadata().getNamespace().equals(other.getMetadata().getNamespace())
                && a.kind().equals(b.kind())
                && a.name().equals(b.name());
    }

    private static boolean sameServer(Fact<ServerFacts> server, DataChecksums other) {
        ServerStatus theirs =
                other.getStatus() == null ? null : other.getStatus().server();
        return theirs != null
                && server.seen()
                        .filter(s -> equal(s.systemIdentifier().value(), theirs.systemIdentifier()))
                        .filter(s -> equal(address(s), theirs.address()))
                        .isPresent();
    }

    private static boolean equal(Optional<String> mine, @Nullable String theirs) {
        return mine.isPresent() && mine.get().equals(theirs);
    }

    private static Optional<String> address(ServerFacts s) {
        return s.serverAddress().value().flatMap(a -> s.serverPort().value().map(p -> a + ":" + p));
    }
}
