package dev.datachecksums.operator.offline;

import static dev.datachecksums.operator.instance.Pods.container;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.operator.instance.Pods;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the Job of a copy is told besides: as whom it logs in, and whom it trusts. */
class StandbyJobTest {
    private static final ConversionJob JOBS = ConversionJob.temporaryStandby();

    private static Job build(Mode mode) {
        JobSpec.Encryption encryption = new JobSpec.Encryption(
                "verify-full", Optional.of("db.internal"), Optional.of(new JobSpec.Authority("orders-ca", "ca.crt")));
        JobSpec spec = new JobSpec(
                mode,
                "/data",
                Optional.empty(),
                999,
                999,
                Optional.empty(),
                Optional.of("10.0.0.7"),
                5432,
                Duration.ofMinutes(10),
                Duration.ofSeconds(20),
                Duration.ofMinutes(30),
                SyncMethod.FSYNC,
                Optional.of(new JobSpec.Copy(
                        "postgres",
                        "orders-superuser",
                        "username",
                        "password",
                        encryption,
                        Optional.of(1000L),
                        Optional.of(2000L))));
        return JOBS.build(
                new JobSpec.Owner("ns", "orders", "uid"),
                "job",
                Pods.of(container("pg", "data:/data")),
                "pg",
                List.of(),
                spec);
    }

    private static EnvVar variable(Job job, String name) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().stream()
                .filter(e -> e.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertFromSecret(Job job, String name, String secret, String key, boolean optional) {
        assertThat(variable(job, name).getValue()).isNull();
        assertThat(variable(job, name).getValueFrom().getSecretKeyRef())
                .isEqualTo(new SecretKeySelector(key, secret, optional));
    }

    @Test
    void refersToSecretsAndVerifiesAsTheOperatorDoes() {
        Job job = build(Mode.ENABLE);
        assertFromSecret(job, "PGUSER", "orders-superuser", "username", false);
        assertFromSecret(job, "PGPASSWORD", "orders-superuser", "password", false);
        assertFromSecret(job, "DCK_CA", "orders-ca", "ca.crt", false);
        assertThat(variable(job, "DCK_SSLMODE").getValue()).isEqualTo("verify-full");
        assertThat(variable(job, "DCK_CERTIFIED").getValue()).isEqualTo("db.internal");
        assertThat(variable(job, "DCK_HOST").getValue()).isEqualTo("10.0.0.7");
    }

    /** Somebody may have deleted the Secret while the interlock stood. */
    @Test
    void liftsWithoutASecretToo() {
        for (Job lift : List.of(build(Mode.LIFT), JOBS.lift(build(Mode.ENABLE), "job-lift1"))) {
            assertFromSecret(lift, "PGUSER", "orders-superuser", "username", true);
            assertFromSecret(lift, "PGPASSWORD", "orders-superuser", "password", true);
            assertFromSecret(lift, "DCK_CA", "orders-ca", "ca.crt", true);
            assertThat(variable(lift, "DCK_MODE").getValue()).isEqualTo("lift");
        }
    }
}
