package dev.datachecksums.e2e.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.operator.instance.Acted;
import dev.datachecksums.operator.instance.Directories;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobObserver;
import dev.datachecksums.operator.offline.JobSpec;
import dev.datachecksums.operator.offline.JobSpec.Mode;
import dev.datachecksums.operator.offline.JobSpec.Owner;
import dev.datachecksums.operator.offline.LogFollower;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.Interlock;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class JobE2E {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NAME = "dck-try-1";

    private final List<Instant> told = new CopyOnWriteArrayList<>();
    private Database db;
    private WorkloadDriver driver;
    private JobGateway gateway;
    private LogFollower follower;
    private JobObserver observer;
    private Owner owner;

    @BeforeEach
    void start() {
        db = new Database().start();
        driver = new WorkloadDriver(db.client(), JobNames.RESOURCE_UID, Interlock::refusesIn);
        gateway = new JobGateway(db.client());
        follower = new LogFollower(db.client(), (namespace, resource) -> told.add(Instant.now()), Clock.systemUTC());
        observer = new JobObserver(gateway, gateway, follower, Clock.systemUTC());
        owner = new Owner(db.namespace(), "orders", "3c7b6a0e-0000-4000-8000-000000000001");
    }

    @AfterEach
    void stop() {
        follower.close();
        db.close();
    }

    private WorkloadFacts workload() {
        return driver.observe(db.namespace(), Database.REF, Optional.of(Directories.of(Database.DATA)))
                .seen()
                .orElseThrow();
    }

    private Job job(WorkloadFacts workload) {
        Pod pod = workload.pod().orElseThrow().raw();
        JobSpec spec = new JobSpec(
                Mode.ENABLE,
                Database.DATA,
                Optional.empty(),
                999,
                999,
                Optional.empty(),
                Optional.of(pod.getStatus().getPodIP()),
                5432,
                Duration.ofMinutes(5),
                Duration.ofSeconds(20),
                Duration.ofMinutes(1),
                SyncMethod.FSYNC);
        return ConversionJob.inPlace()
                .build(owner, NAME, pod, workload.container().orElseThrow(), workload.volumes(), spec);
    }

    private JobFacts only() {
        List<JobFacts> jobs = observer.observe(owner);
        assertThat(jobs).hasSize(1);
        return jobs.get(0);
    }

    private JobLog log() {
        return only().log();
    }

    private void awaitStep(Step step) {
        await().pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(log().steps()).as(log().toString()).containsKey(step));
    }

    @Test
    void convertsAHeldPodWithItsOwnImageAndSaysEachStep() {
        WorkloadFacts before = workload();
        String uid = before.pod().orElseThrow().uid();
        assertThat(gateway.create(job(before))).isEqualTo(JobGateway.Created.NEW);
        assertThat(gateway.create(job(before))).isEqualTo(JobGateway.Created.EXISTS);
        awaitStep(Step.READY);
        assertThat(log().ready().orElseThrow().systemIdentifier())
                .isEqualTo(db.sql("SELECT system_identifier FROM pg_control_system()"));
        // The pid file's second is read before the server's own, and may be another.
        assertThat(log().ready().orElseThrow().postmasterStart())
                .isCloseTo(
                        Instant.ofEpochSecond(
                                Long.parseLong(db.sql("SELECT trunc(extract(epoch FROM pg_postmaster_start_time()))"))),
                        within(10, ChronoUnit.SECONDS));
        assertThat(workload().otherPods()).isEmpty();
        Pod work = gateway.pods(db.namespace(), owner.uid()).get(0);
        assertThat(work.getSpec().getNodeName())
                .isEqualTo(before.pod().orElseThrow().node().orElseThrow());

        db.exec("sh", "-c", "echo \"" + Interlock.PARAMETER + " = 'x'\" >>" + Database.DATA + "/postgresql.auto.conf");
        awaitStep(Step.ARMED);
        assertThat(log().lifted()).contains(false);
        assertThat(driver.recheck(db.namespace(), Database.REF, Database.REF.name() + "-0", uid, List.of()))
                .isEmpty();
        assertThat(driver.hold(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        assertThat(driver.stop(db.namespace(), Database.POD, uid, Duration.ofMinutes(30)))
                .isEqualTo(Acted.DONE);
        awaitStep(Step.DONE);
        assertThat(log().steps()).containsKeys(Step.STOPPED, Step.CONVERTED, Step.LIFTED);
        assertThat(log().lifted()).contains(true);
        assertThat(driver.release(db.namespace(), Database.POD, uid)).isEqualTo(Acted.DONE);
        db.awaitReady(uid);
        assertThat(db.sql("SHOW data_checksums")).isEqualTo("on");
        await().atMost(PATIENCE).until(() -> only().over());
        assertThat(only().pod().orElseThrow().exitCode()).contains(0);
        assertThat(told).isNotEmpty();

        // An operator that starts anew reads the same from the log, and from the termination message where that has
        // gone.
        try (LogFollower anew = new LogFollower(db.client(), (n, r) -> {}, Clock.systemUTC())) {
            List<JobFacts> again = new JobObserver(gateway, gateway, anew, Clock.systemUTC()).observe(owner);
            assertThat(again.get(0).log()).isEqualTo(log());
        }
        gateway.delete(db.namespace(), NAME);
        gateway.delete(db.namespace(), NAME);
        await().atMost(PATIENCE).until(() -> observer.observe(owner).isEmpty());
    }

    @Test
    void deletionOfTheJobLiftsAndSaysSo() {
        assertThat(gateway.create(job(workload()))).isEqualTo(JobGateway.Created.NEW);
        awaitStep(Step.READY);
        db.exec("sh", "-c", "echo \"" + Interlock.PARAMETER + " = 'x'\" >>" + Database.DATA + "/postgresql.auto.conf");
        awaitStep(Step.ARMED);
        String uid = only().uid();
        gateway.delete(db.namespace(), NAME);
        await().atMost(PATIENCE).until(() -> observer.observe(owner).isEmpty());
        JobLog last = follower.log(uid);
        assertThat(last.last()).contains(Step.FAILED);
        assertThat(last.reason()).contains("Stopped");
        assertThat(last.lifted()).contains(true);
        assertThat(db.exec("cat", Database.DATA + "/postgresql.auto.conf")).doesNotContain(Interlock.PARAMETER);
    }

    @Test
    void liftsByTheLikenessOfTheKilledJob() {
        Job convert = job(workload());
        assertThat(gateway.create(convert)).isEqualTo(JobGateway.Created.NEW);
        awaitStep(Step.READY);
        db.exec("sh", "-c", "echo \"" + Interlock.PARAMETER + " = 'x'\" >>" + Database.DATA + "/postgresql.auto.conf");
        awaitStep(Step.ARMED);
        String pod = only().pod().orElseThrow().name();
        db.client()
                .pods()
                .inNamespace(db.namespace())
                .withName(pod)
                .withGracePeriod(0)
                .delete();
        await().atMost(PATIENCE).until(() -> only().finished());
        db.exec(
                "sh",
                "-c",
                "grep -q " + Interlock.PARAMETER + " $PGDATA/postgresql.auto.conf" + " || echo \"" + Interlock.PARAMETER
                        + " = 'x'\" >>$PGDATA/postgresql.auto.conf");

        Job asKept = gateway.jobs(db.namespace(), owner.uid()).get(0);
        assertThat(gateway.create(ConversionJob.inPlace().lift(asKept, JobNames.lift(NAME, 1))))
                .isEqualTo(JobGateway.Created.NEW);
        await().atMost(PATIENCE)
                .until(() -> observer.observe(owner).stream()
                        .anyMatch(j -> j.lift() && j.log().said(Step.LIFTED)));
        assertThat(db.exec("cat", Database.DATA + "/postgresql.auto.conf")).doesNotContain(Interlock.PARAMETER);
    }

    @Test
    void saysWhyThereIsNoPod() {
        db.client()
                .resourceQuotas()
                .inNamespace(db.namespace())
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("one")
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("pods", new Quantity("1")))
                        .endSpec()
                        .build())
                .create();
        await().atMost(PATIENCE)
                .until(() -> Optional.ofNullable(db.client()
                                .resourceQuotas()
                                .inNamespace(db.namespace())
                                .withName("one")
                                .get()
                                .getStatus())
                        .map(s -> s.getUsed())
                        .filter(u -> u != null && !u.isEmpty())
                        .isPresent());
        assertThat(gateway.create(job(workload()))).isEqualTo(JobGateway.Created.NEW);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(only().problem().orElse(""))
                        .contains("FailedCreate")
                        .contains("exceeded quota"));
        assertThat(only().pod()).isEmpty();
    }
}
