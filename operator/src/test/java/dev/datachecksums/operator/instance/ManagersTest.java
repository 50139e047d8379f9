package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagersTest {

    private static StatefulSet set(String image, String variable) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName("db")
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .addNewContainer()
                .withName("pg")
                .withImage(image)
                .addNewEnv()
                .withName(variable)
                .withValue("x")
                .endEnv()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "postgres:17, PATRONI_SCOPE, Patroni (environment variable PATRONI_SCOPE)",
        "postgres:17, SPILO_CONFIGURATION, Patroni (Spilo) (environment variable SPILO_CONFIGURATION)",
        "postgres:17, REPMGR_PRIMARY_HOST, repmgr (environment variable REPMGR_PRIMARY_HOST)",
        "ghcr.io/zalando/spilo-17:4, PGDATA, what the image ghcr.io/zalando/spilo-17:4 brings",
        "bitnami/postgresql-repmgr:17, PGDATA, what the image bitnami/postgresql-repmgr:17 brings"
    })
    void knowsThemByWhatTheyAreTold(String image, String variable, String words) {
        assertThat(Managers.of(set(image, variable))).contains(words);
    }

    @Test
    void takesAnOwnerForOne() {
        StatefulSet owned = new StatefulSetBuilder(set("postgres:17", "PGDATA"))
                .editMetadata()
                .addToOwnerReferences(new OwnerReferenceBuilder()
                        .withKind("PostgresCluster")
                        .withName("orders")
                        .withController(true)
                        .build())
                .endMetadata()
                .build();
        assertThat(Managers.of(owned)).contains("PostgresCluster orders, which owns the StatefulSet");
    }

    @Test
    void findsNoneOfAPlainOne() {
        assertThat(Managers.of(set("postgres:17", "PGDATA"))).isEmpty();
    }
}
