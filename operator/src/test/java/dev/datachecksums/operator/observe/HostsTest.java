package dev.datachecksums.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No declaration leads the operator out of its namespace. */
class HostsTest {
    private final Map<String, Service> services = new HashMap<>();

    HostsTest() {
        service("shop", "db", "ClusterIP", Map.of("app", "db"), "");
        service("shop", "out", "ExternalName", Map.of(), "db.other.svc.cluster.local");
        service("shop", "by-hand", "ClusterIP", Map.of(), "");
        service("other", "db2", "ClusterIP", Map.of("app", "db"), "");
    }

    @ParameterizedTest
    @CsvSource({
        "db, db.shop.svc",
        "DB, db.shop.svc",
        "db.shop, db.shop.svc",
        "db.shop.svc, db.shop.svc",
        "db.shop.svc.cluster.local, db.shop.svc",
        "db-0.db, db-0.db.shop.svc",
        "db-0.db.shop, db-0.db.shop.svc",
        "db-0.db.shop.svc, db-0.db.shop.svc",
        "db-0.db.shop.svc.cluster.local, db-0.db.shop.svc",
        "10.1.1.9, 10.1.1.9",
    })
    void aServiceOfTheNamespaceIsMeantByAnyOfItsNames(String host, String target) {
        assertThat(resolve(ExternalHosts.none(), host).seen()).hasValue(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db2",
                "db2.other",
                "db2.other.svc",
                "db2.other.svc.cluster.local",
                "db-0.db2.other.svc",
                "db.shop.svc.example.com",
                "shop.svc.cluster.local",
                "a.b.db.shop.svc",
                "db..shop",
                "db.shop.svc.cluster.local.",
                "example.com",
                "10.1.1.10",
                "127.0.0.1",
                "2130706433",
                "0x7f.1",
                "::1",
                "localhost",
                "kubernetes.default",
                "out",
                "out.shop.svc",
                "by-hand",
                "x.by-hand",
            })
    void everythingElseIsRefused(String host) {
        assertThat(resolve(ExternalHosts.none(), host)).isInstanceOfSatisfying(Fact.Missing.class, m -> {
            assertThat(m.reason()).isEqualTo("HostNotAllowed");
            assertThat(m.remedy()).contains("--allow-external-hosts");
        });
    }

    @Test
    void whatTheOperatorWasStartedToAllowIsTakenAsItIs() {
        ExternalHosts some = ExternalHosts.of(Set.of("db.example.com", ".corp.example", "10.9.9.9"));
        assertThat(resolve(some, "db.example.com").seen()).hasValue("db.example.com");
        assertThat(resolve(some, "a.b.Corp.example").seen()).hasValue("a.b.Corp.example");
        assertThat(resolve(some, "10.9.9.9").seen()).hasValue("10.9.9.9");
        assertThat(resolve(some, "corp.example").seen()).isEmpty();
        assertThat(resolve(some, "xcorp.example").seen()).isEmpty();
        assertThat(resolve(some, "10.9.9.90").seen()).isEmpty();
        assertThat(resolve(ExternalHosts.of(Set.of("*")), "anything.at.all").seen())
                .hasValue("anything.at.all");
    }

    private Fact<String> resolve(ExternalHosts allowed, String host) {
        return new Hosts((namespace, name) -> services.get(namespace + "/" + name), allowed)
                .resolve("shop", host, Optional.of("10.1.1.9"));
    }

    private void service(String namespace, String name, String type, Map<String, String> selector, String external) {
        services.put(
                namespace + "/" + name,
                new ServiceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withType(type)
                        .withSelector(selector)
                        .withExternalName(external.isEmpty() ? null : external)
                        .endSpec()
                        .build());
    }
}
