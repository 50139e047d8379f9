package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.instance.Acted;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.Observer;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobSpec;
import dev.datachecksums.operator.offline.RememberedJobs;
import dev.datachecksums.operator.postgres.HeldSession;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.standby.StandbyServer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The acts of the offline road: the Job, the held session, the interlock, the stop, the release. */
public final class OfflineActs {

    private static final Logger LOG = LoggerFactory.getLogger(OfflineActs.class);

    private final InstanceDriver driver;
    private final JobStart jobStart;
    private final StandbyServer standby;
    private final JobGateway jobs;
    private final RememberedJobs remembered;
    private final Sessions sessions;
    private final PostgresServer postgres;
    private final Observer observer;
    private final Interlock interlock;
    private final Clock clock;
    private final Consumer<Observation.Resource> wake;

    /** Wake is called when something that goes on in the background has ended. */
    public OfflineActs(
            InstanceDriver driver,
            ConversionJob conversionJob,
            ConversionJob standbyJob,
            StandbyServer standby,
            JobGateway jobs,
            RememberedJobs remembered,
            Sessions sessions,
            PostgresServer postgres,
            Observer observer,
            Interlock interlock,
            Clock clock,
            Consumer<Observation.Resource> wake) {
        this.driver = driver;
        this.jobStart = new JobStart(
                driver,
                conversionJob,
                standbyJob,
                jobs,
                clock,
                o -> observer.target(o).seen().map(t -> t.address().host()));
        this.standby = standby;
        this.jobs = jobs;
        this.remembered = remembered;
        this.sessions = sessions;
        this.postgres = postgres;
        this.observer = observer;
        this.interlock = interlock;
        this.clock = clock;
        this.wake = wake;
    }

    Outcome carryOut(Observation o, Decision d, Outcome out) throws ServerException {
        String namespace = o.resource().namespace();
        if (d instanceof Decision.StartJob start) {
            return jobStart.start(o, start.conversion(), start.conversion().id(), mode(start.conversion()), out);
        }
        if (d instanceof Decision.LiftByJob lift) {
            return jobStart.start(o, lift.conversion(), lift.job(), JobSpec.Mode.LIFT, out);
        }
        if (d instanceof Decision.DropSlot) {
            if (observer.target(o) instanceof Fact.Known<ServerTarget> k) {
                standby.dropSlot(k.it());
                return out.again();
            }
            return out.problem("the way to the server is not known any more");
        }
        if (d instanceof Decision.NoteRestored note) {
            return out.conversion(note.conversion()
                            .restoredAt(o.server()
                                    .seen()
                                    .map(ServerFacts::observedAt)
                                    .orElse(o.at())
                                    .toString()))
                    .again();
        }
        if (d instanceof Decision.HoldSession) {
            if (observer.target(o) instanceof Fact.Known<ServerTarget> k) {
                sessions.prepare(o.resource().uid(), k.it(), () -> wake.accept(o.resource()));
                return out;
            }
            return out.problem("the way to the server is not known any more");
        }
        if (d instanceof Decision.Arm) {
            sessions.arm(o.resource().uid(), interlock);
            return out.again();
        }
        if (d instanceof Decision.Stop stop) {
            return stop(o, stop, out);
        }
        if (d instanceof Decision.Release release) {
            return acted(driver.release(namespace, release.pod(), release.podUid()), out);
        }
        if (d instanceof Decision.RestartPod restart) {
            return acted(driver.restart(namespace, restart.pod(), restart.podUid()), out);
        }
        if (d instanceof Decision.DeleteJob delete) {
            jobs.delete(namespace, delete.job());
            return out.again();
        }
        if (d instanceof Decision.LiftBySql) {
            return liftBySql(o, out);
        }
        throw new IllegalStateException("nobody carries out " + d.getClass().getSimpleName());
    }

    /** Ends the held session: a server that shuts down slowly would wait for it. */
    void dropSession(Observation o) {
        sessions.drop(o.resource().uid());
    }

    /** Removes what is left of a try that has ended: its session, its Jobs, and a hold that nobody could see any more. */
    void forget(Observation o, ConversionStatus c) {
        dropSession(o);
        if (o.workload().seen().isEmpty() && c.pod() != null && c.podUid() != null) {
            driver.release(o.resource().namespace(), c.pod(), c.podUid());
        }
        for (JobFacts job : o.jobs()) {
            jobs.delete(o.resource().namespace(), job.name());
        }
        remembered.forget(c.id());
    }

    private static JobSpec.Mode mode(ConversionStatus c) {
        return c.to() == DesiredState.ENABLED ? JobSpec.Mode.ENABLE : JobSpec.Mode.DISABLE;
    }

    /**
     * The stop, in the order that was attacked on a real cluster: look once more, hold, delete, and only after the
     * deletion the fast shutdown by SQL; before, the container would be restarted in place. Just that is wanted where the next
     * pod would be made at once: nothing but the interlock would keep the two apart, and a try that fails lifts it.
     */
    private Outcome stop(Observation o, Decision.Stop stop, Outcome out) throws ServerException {
        String namespace = o.resource().namespace();
        String uid = o.resource().uid();
        PodFacts pod = o.workload().seen().flatMap(WorkloadFacts::pod).orElse(null);
        InstanceRef ref = o.spec().instanceRef();
        if (pod == null || ref == null) {
            return out.problem("the pod has gone");
        }
        List<String> claims = o.workload().seen().stream()
                .flatMap(w -> w.volumes().stream())
                .flatMap(v -> v.claim().stream())
                .toList();
        Optional<String> why = driver.recheck(namespace, ref, pod.name(), pod.uid(), claims);
        if (why.isPresent()) {
            return giveUp(out, stop.conversion(), "GateClosed: just before the stop: " + why.get());
        }
        if (!sessions.armed(uid)) {
            return giveUp(
                    out, stop.conversion(), "InterlockLost: the interlock was gone just before the stop (RESET ALL?)");
        }
        if (stop.hold() && driver.hold(namespace, pod.name(), pod.uid()) != Acted.DONE) {
            return out.problem("the pod could not be held").again();
        }
        Instant lastAnswer = clock.instant();
        if (!o.holdable()) {
            sessions.fastShutdown(uid);
            return out.conversion(stop.conversion().stoppedAt(lastAnswer.toString()));
        }
        if (driver.stop(namespace, pod.name(), pod.uid(), JobStart.maxOutage(o)) == Acted.GONE) {
            return out.problem("the pod has gone").again();
        }
        try {
            sessions.fastShutdown(uid);
        } catch (ServerException e) {
            // The deletion stops it too, by the image's own signal; the Job's bound and the way back see to the rest.
            LOG.warn("the fast shutdown could not be sent: {}", e.getMessage());
        }
        return out.conversion(stop.conversion().stoppedAt(lastAnswer.toString()));
    }

    private static Outcome giveUp(Outcome out, ConversionStatus c, String why) {
        return out.conversion(c.givenUp(why)).again();
    }

    private Outcome liftBySql(Observation o, Outcome out) throws ServerException {
        if (!(observer.target(o) instanceof Fact.Known<ServerTarget> target)) {
            return out.problem("the way to the server is not known any more");
        }
        try (HeldSession session = postgres.hold(target.it())) {
            session.liftInterlock();
        }
        return out.again();
    }

    private static Outcome acted(Acted acted, Outcome out) {
        return acted == Acted.STALE
                ? out.problem("the pod was changed meanwhile").again()
                : out.again();
    }
}
