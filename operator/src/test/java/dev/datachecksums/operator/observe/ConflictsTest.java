package dev.datachecksums.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.postgres.ServerFacts;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which other resource declares the same server: the index has to find what a walk through all of them would. */
class ConflictsTest {

    private static final ServerFacts SERVER = new Servers().build();
    private static final String ADDRESS = SERVER.serverAddress().value().orElseThrow() + ":"
            + SERVER.serverPort().value().orElseThrow();

    private final DataChecksums mine = resource("mine", 5, "instanceRef: {name: orders-db}", "");

    @Test
    void anOlderOneOfTheSameInstanceIs() {
        DataChecksums older = resource("older", 4, "instanceRef: {name: orders-db}", "");
        assertThat(conflict(older, mine)).contains("shop/older");
    }

    @Test
    void aYoungerOneIsNot() {
        assertThat(conflict(mine, resource("younger", 6, "instanceRef: {name: orders-db}", "")))
                .isEmpty();
    }

    @Test
    void anotherKindOfThatNameIsNot() {
        assertThat(conflict(resource("older", 4, "instanceRef: {kind: Deployment, name: orders-db}", ""), mine))
                .isEmpty();
    }

    @Test
    void anOlderOneWhoseServerSaidTheSameOfItselfIs() {
        assertThat(conflict(resource("older", 4, "", said(Servers.SYSTEM, ADDRESS)), mine))
                .contains("shop/older");
    }

    /** A clone from a base backup has its original's system identifier, and is another server. */
    @Test
    void aCloneIsNot() {
        assertThat(conflict(resource("older", 4, "", said(Servers.SYSTEM, "10.9.9.9:5432")), mine))
                .isEmpty();
        assertThat(conflict(resource("older", 4, "", said("1", ADDRESS)), mine)).isEmpty();
    }

    @Test
    void theOldestIsNamed() {
        DataChecksums oldest = resource("oldest", 3, "", said(Servers.SYSTEM, ADDRESS));
        DataChecksums older = resource("older", 4, "instanceRef: {name: orders-db}", "");
        assertThat(conflict(older, mine, oldest)).contains("shop/oldest");
    }

    private Optional<String> conflict(DataChecksums... all) {
        return Conflicts.of(
                mine,
                Fact.known(SERVER),
                key -> List.of(all).stream()
                        .filter(d -> Declarations.keys(d).contains(key))
                        .toList());
    }

    private static String said(String system, String address) {
        return "status: {server: {systemIdentifier: '%s', address: '%s'}}".formatted(system, address);
    }

    private static DataChecksums resource(String name, int day, String instance, String status) {
        return Serialization.unmarshal("""
                apiVersion: datachecksums.dev/v1alpha1
                kind: DataChecksums
                metadata: {name: %s, namespace: shop, uid: uid-%s, creationTimestamp: '2026-11-0%dT00:00:00Z'}
                spec:
                  state: Enabled
                  %s
                %s
                """.formatted(name, name, day, instance, status), DataChecksums.class);
    }
}
