package dev.datachecksums.e2e.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.operator.instance.Acted;
import dev.datachecksums.operator.instance.Directories;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.DataVolume;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.Interlock;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class StatefulSetDriverE2E {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration MAX_OUTAGE = Duration.ofMinutes(30);

    private Database db;
    private WorkloadDriver driver;
    private String uid;

    @BeforeEach
    void start() {
        db = new Database().start();
        driver = new WorkloadDriver(db.client(), JobNames.RESOURCE_UID, Interlock::refusesIn);
        uid = workload().pod().orElseThrow().uid();
    }

    @AfterEach
    void stop() {
        db.close();
    }

    private WorkloadFacts workload() {
        return driver.observe(db.namespace(), Database.REF, Optional.of(Directories.of(Database.DATA)))
                .seen()
                .orElseThrow();
    }

    @Test
    void seesWhatRunsTheServerAndWhatStandsInTheWay() {
        WorkloadFacts calm = workload();
        assertThat(calm.container()).contains("postgres");
        assertThat(calm.volumes())
                .containsExactly(new DataVolume(
                        Database.DATA,
                        "data directory",
                        Optional.of("data"),
                        Optional.of("data-db-0"),
                        "persistentVolumeClaim",
                        Optional.of("/var/lib/postgresql/data"),
                        Optional.empty()));
        assertThat(calm.pod().orElseThrow().ready()).isTrue();
        assertThat(calm.pendingRollout()).isEmpty();
        assertThat(calm.budgets()).isEmpty();
        assertThat(calm.otherPods()).isEmpty();
        assertThat(driver.recheck(db.namespace(), Database.REF, Database.REF.name() + "-0", uid, List.of()))
                .isEmpty();

        db.mountElsewhere("debug");
        assertThat(workload().otherPods()).containsExactly("debug");

        db.client()
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(db.namespace())
                .resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withName("keep")
                        .endMetadata()
                        .withNewSpec()
                        .withMinAvailable(new IntOrString(1))
                        .withNewSelector()
                        .withMatchLabels(Map.of("app", "db"))
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        assertThat(workload().budgets()).containsExactly("keep");
        assertThat(driver.recheck(db.namespace(), Database.REF, Database.REF.name() + "-0", uid, List.of())
                        .orElseThrow())
                .contains("PodDisruptionBudget keep");
    }

    @Test
    void seesATemplateThatOurDeleteWouldRollOut() {
        db.client()
                .apps()
                .statefulSets()
                .inNamespace(db.namespace())
                .withName("db")
                .edit(s -> new StatefulSetBuilder(s)
                        .editSpec()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations("changed", "yes")
                        .endMetadata()
                        .endTemplate()
                        .endSpec()
                        .build());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(workload().pendingRollout().orElseThrow())
                        .contains("would roll out a change of the template"));
        assertThat(driver.recheck(db.namespace(), Database.REF, Database.REF.name() + "-0", uid, List.of()))
                .isPresent();
    }

    @Test
    void holdKeepsTheControllerFromMakingTheNextPodUntilItIsReleased() {
        assertThat(driver.hold(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        assertThat(driver.hold(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        assertThat(driver.stop(db.namespace(), Database.POD, uid, MAX_OUTAGE)).isEqualTo(Acted.DONE);
        assertThat(driver.stop(db.namespace(), Database.POD, uid, MAX_OUTAGE)).isEqualTo(Acted.DONE);
        // Its own, because of the sidecar that does not listen.
        assertThat(db.pod().orElseThrow().getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(5);

        // Somebody scales it down and up, and force-deletes the pod: still no other pod.
        await().atMost(PATIENCE).until(() -> workload().pod().orElseThrow().ended());
        db.client()
                .apps()
                .statefulSets()
                .inNamespace(db.namespace())
                .withName("db")
                .scale(3);
        db.client()
                .apps()
                .statefulSets()
                .inNamespace(db.namespace())
                .withName("db")
                .scale(0);
        db.client()
                .apps()
                .statefulSets()
                .inNamespace(db.namespace())
                .withName("db")
                .scale(1);
        db.client()
                .pods()
                .inNamespace(db.namespace())
                .withName(Database.POD)
                .withGracePeriod(0)
                .delete();
        await().during(Duration.ofSeconds(5)).atMost(PATIENCE).untilAsserted(() -> {
            Pod pod = db.pod().orElseThrow();
            assertThat(pod.getMetadata().getUid()).isEqualTo(uid);
            assertThat(pod.getMetadata().getFinalizers()).contains(InstanceDriver.HOLD);
        });
        assertThat(workload().pod().orElseThrow().held()).isTrue();

        assertThat(driver.release(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        Pod next = db.awaitReady(uid);
        assertThat(driver.release(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);

        // The next pod is nobody's to touch by the name of the old one.
        assertThat(driver.hold(db.namespace(), Database.POD, uid)).isEqualTo(Acted.GONE);
        assertThat(driver.stop(db.namespace(), Database.POD, uid, MAX_OUTAGE)).isEqualTo(Acted.GONE);
        assertThat(driver.restart(db.namespace(), Database.POD, uid)).isEqualTo(Acted.GONE);
        assertThat(db.pod().orElseThrow().getMetadata().getUid())
                .isEqualTo(next.getMetadata().getUid());
        assertThat(db.pod().orElseThrow().getMetadata().getDeletionTimestamp()).isNull();
    }

    @Test
    void cannotHoldAPodThatIsGoing() {
        db.client().pods().inNamespace(db.namespace()).withName(Database.POD).delete();
        assertThat(driver.hold(db.namespace(), Database.POD, uid)).isIn(Acted.STALE, Acted.GONE);
        db.awaitReady(uid);
    }

    @Test
    void readsInTheLogThatTheInterlockKeepsTheServerFromStarting() {
        db.exec("sh", "-c", "echo \"" + Interlock.PARAMETER + " = 'x'\" >>" + Database.DATA + "/postgresql.auto.conf");
        assertThat(driver.restart(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        await().atMost(PATIENCE).untilAsserted(() -> {
            WorkloadFacts workload = workload();
            // In between there is none.
            assertThat(workload.pod()).hasValueSatisfying(pod -> {
                assertThat(pod.uid()).isNotEqualTo(uid);
                assertThat(pod.crashing()).isTrue();
            });
            assertThat(workload.interlockInLog()).isTrue();
        });
    }
}
