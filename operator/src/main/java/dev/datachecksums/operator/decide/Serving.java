package dev.datachecksums.operator.decide;

import static dev.datachecksums.operator.decide.UnderWay.giveUp;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.offline.JobLog;
import dev.datachecksums.operator.offline.Step;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Under way, and the server still serves: until it is stopped, giving up costs nothing. */
final class Serving {

    /** A Job that has no running pod after so long is not going to get one. */
    static final Duration JOB_START_LIMIT = Duration.ofSeconds(90);
    /** A script that runs and says nothing for so long is stuck: its checks walk the whole directory. */
    static final Duration JOB_SILENCE_LIMIT = Duration.ofMinutes(5);
    /** A Job whose pod was refused by admission never becomes Failed: it is given up as soon as its event is there. */
    static final Duration REFUSED_AFTER = Duration.ofSeconds(5);
    /** Time for CHECKPOINTs and for a server that restarts; then it is a failed try. */
    static final Duration SWITCH_LIMIT = Duration.ofMinutes(20);
    /** A CHECKPOINT older than this does not make the shutdown short any more. */
    static final Duration CHECKPOINT_HOLDS = Duration.ofSeconds(30);
    /** The interlock stands armed for seconds: while it does, no change of configuration takes effect. */
    static final Duration ARMED_LIMIT = Duration.ofSeconds(5);
    /** The script gives up 20 s after it was armed; a stop that was not carried out by then will not be. */
    static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    /** Reasons for a silent server that pass by themselves. */
    private static final Set<String> PASSING = Set.of(
            "Unreachable",
            "NoAddress",
            "TimedOut",
            "StartingUp",
            "ShuttingDown",
            "TooManyConnections",
            AtRest.API_UNAVAILABLE);

    /** Reasons of a server that serves, and that we may not ask. */
    private static final Set<String> NOT_FOR_US =
            Set.of("SecretNotFound", "SecretKeyMissing", "BadConnection", "AuthenticationFailed");

    private final Gate gate;
    private final Planner planner;
    private final Following following;

    Serving(Gate gate, Planner planner) {
        this.gate = gate;
        this.planner = planner;
        this.following = new Following(gate);
    }

    Verdict decide(Observation o, ConversionStatus c, JobFacts job) {
        if (o.workload() instanceof Fact.Missing<WorkloadFacts> m) {
            return m.reason().equals(AtRest.API_UNAVAILABLE)
                    ? Verdict.of(Phase.CONVERTING, m.reason(), m.message(), new Decision.Nothing())
                    : giveUp(c, m.reason(), m.message());
        }
        if (job.over()
                || job.deleting()
                || job.log().said(Step.FAILED)
                || job.log().said(Step.REFUSED)) {
            return giveUp(c, UnderWay.jobFailure(job));
        }
        if (job.log().ready().isEmpty()) {
            return Copy.of(c) && job.log().last().isPresent() ? Following.preparing(o, c, job) : preparing(o, c, job);
        }
        if (o.server() instanceof Fact.Missing<ServerFacts> m) {
            return silent(o, c, job, m);
        }
        ServerFacts server = o.server().seen().orElseThrow();
        Optional<GivingUp> other = anotherServer(server, job.log().ready().get());
        if (other.isPresent()) {
            return giveUp(c, other.get());
        }
        return switchOver(o, c, job, server);
    }

    private static Verdict preparing(Observation o, ConversionStatus c, JobFacts job) {
        Duration age = Duration.between(job.asked(), o.at());
        boolean hopeless = job.pod().isEmpty() && job.problem().isPresent();
        Duration limit = hopeless ? REFUSED_AFTER : UnderWay.unread(job) ? JOB_SILENCE_LIMIT : JOB_START_LIMIT;
        if (age.compareTo(limit) > 0) {
            boolean unscheduled = job.problem()
                    .filter(p -> p.startsWith(GivingUp.UNSCHEDULABLE))
                    .isPresent();
            return giveUp(
                    c,
                    // no failure of anybody's: the node is cordoned or full, and nothing was touched
                    unscheduled ? GivingUp.UNSCHEDULABLE : "JobNotStarted",
                    "the Job " + job.name() + " did not get ready within " + Durations.format(age) + ": "
                            + job.problem().orElse("its script has not said that it is ready"));
        }
        return Verdict.of(
                        Phase.CONVERTING,
                        "Preparing",
                        "the Job " + job.name() + " gets ready; the server goes on serving"
                                + job.problem().map(p -> ". It waits: " + p).orElse(""),
                        new Decision.Nothing())
                .until(job.asked().plus(limit));
    }

    /**
     * Not armed, the Job looks after itself: it fails when the server was restarted. Armed, and the server went without
     * being stopped by us: the pid file may stay, the Job would wait out its bound. That it may not be asked any more, for
     * want of a Secret or by its own word, is nobody's failure.
     */
    private static Verdict silent(Observation o, ConversionStatus c, JobFacts job, Fact.Missing<ServerFacts> m) {
        if (NOT_FOR_US.contains(m.reason())) {
            return giveUp(c, GivingUp.GATE_CLOSED, "the gate closed before the stop: " + m.message());
        }
        if (o.session().interlocked().isPresent() || job.log().said(Step.ARMED) || late(o, c, job)) {
            return giveUp(c, "ServerVanished", "the server stopped answering while it was prepared: " + m.message());
        }
        return PASSING.contains(m.reason())
                ? Verdict.of(Phase.CONVERTING, m.reason(), m.message(), new Decision.Nothing())
                : giveUp(c, GivingUp.GATE_CLOSED, "the gate closed before the stop: " + m.message());
    }

    private Verdict switchOver(Observation o, ConversionStatus c, JobFacts job, ServerFacts server) {
        SessionFacts session = o.session();
        if (session.interlocked().isPresent()) {
            return armed(o, c, job, session.interlocked().get());
        }
        if (Copy.of(c) && !job.log().said(Step.ARMED)) {
            Optional<Verdict> notYet = following.notYet(o, c, job, server);
            if (notYet.isPresent()) {
                return notYet.get();
            }
        }
        if (server.interlockPresent().value().orElse(false) || job.log().said(Step.ARMED)) {
            return giveUp(
                    c,
                    GivingUp.SESSION_LOST,
                    "the operator was restarted while the interlock stood: it is lifted and the try begins anew");
        }
        Optional<GivingUp> changed = Copy.of(c) ? Optional.empty() : otherRoad(o, c, server);
        if (changed.isPresent()) {
            return giveUp(c, changed.get());
        }
        Optional<String> no = Copy.of(c) ? Optional.empty() : no(o, server);
        if (no.isPresent()) {
            return giveUp(c, GivingUp.GATE_CLOSED, "the gate closed before the stop: " + no.get());
        }
        if (late(o, c, job)) {
            return giveUp(
                    c,
                    "NotArmed",
                    "the server could not be made ready for its stop within " + Durations.format(SWITCH_LIMIT)
                            + session.problem().map(p -> ": " + p).orElse(""));
        }
        return withSession(o, c, session);
    }

    /** What was begun by another policy is given up while that costs nothing; from the interlock on it is finished. */
    private Optional<GivingUp> otherRoad(Observation o, ConversionStatus c, ServerFacts server) {
        if (o.spec().policy().method() == Method.ONLINE) {
            return Optional.of(new GivingUp(
                    GivingUp.STRATEGY_CHANGED,
                    "policy.method is Online now: the server is not stopped, and goes on serving"));
        }
        boolean copy = o.spec().policy().offline().strategy() == OfflineStrategy.TEMPORARY_STANDBY
                && c.method() == ConversionMethod.IN_PLACE
                && planner.offline(o, server).method() == ConversionMethod.TEMPORARY_STANDBY;
        return copy
                ? Optional.of(
                        new GivingUp(
                                GivingUp.STRATEGY_CHANGED,
                                "the policy wants a TemporaryStandby now: the server is not stopped for longer than that takes"))
                : Optional.empty();
    }

    /** A copy may follow for as long as it takes until the window opens. */
    private static boolean late(Observation o, ConversionStatus c, JobFacts job) {
        return !Copy.of(c) && o.at().isAfter(job.asked().plus(SWITCH_LIMIT));
    }

    private static Verdict withSession(Observation o, ConversionStatus c, SessionFacts session) {
        return switch (session.state()) {
            case NONE ->
                Verdict.of(
                        Phase.CONVERTING,
                        "Preparing",
                        "a session is opened for the stop, and a CHECKPOINT made",
                        new Decision.HoldSession());
            case PREPARING ->
                Verdict.of(
                        Phase.CONVERTING,
                        "Checkpoint",
                        "a CHECKPOINT makes the shutdown short",
                        new Decision.Nothing());
            case BROKEN ->
                giveUp(
                        c,
                        "SessionBroken",
                        "the session for the stop broke: " + session.problem().orElse("no reason given"));
            case READY ->
                o.at().isAfter(session.since().plus(CHECKPOINT_HOLDS))
                        ? Verdict.of(
                                Phase.CONVERTING,
                                "Preparing",
                                "the CHECKPOINT is made anew",
                                new Decision.HoldSession())
                        : Verdict.of(
                                Phase.STOPPING,
                                "Arming",
                                "the interlock is set: from here on no postmaster starts until the end",
                                new Decision.Arm(c));
        };
    }

    /** Asked once more when everything is ready: what was true when the try began may not be any more. */
    private Optional<String> no(Observation o, ServerFacts server) {
        if (o.conflict().isPresent()) {
            return Optional.of("the older resource " + o.conflict().get() + " declares the same server");
        }
        List<Finding> findings = gate.askServer(o);
        if (findings.isEmpty()) {
            findings = gate.askOffline(o);
        }
        if (!findings.isEmpty()) {
            Finding first = findings.get(0);
            return Optional.of(first.check() + ": " + first.words());
        }
        boolean open = Windows.at(o.spec().policy().window(), o.at()) instanceof Windows.State.Open w
                && w.fits(o.at(), planner.offline(o, server).outage());
        return open ? Optional.empty() : Optional.of("the window closes too soon for the outage");
    }

    private static Verdict armed(Observation o, ConversionStatus c, JobFacts job, Instant since) {
        if (o.session().state() == SessionFacts.State.BROKEN) {
            return giveUp(c, "SessionBroken", "the session for the stop broke while the interlock stood");
        }
        Duration seen = Copy.of(c) ? Following.ARMED_LIMIT : ARMED_LIMIT;
        if (!job.log().said(Step.ARMED)) {
            return o.at().isAfter(since.plus(seen))
                    ? giveUp(
                            c,
                            "JobNotArmed",
                            "the Job did not see the interlock within " + Durations.format(seen)
                                    + ": does it mount the volume of this server?")
                    : Verdict.of(Phase.STOPPING, "Arming", "the Job looks for the interlock", new Decision.Nothing())
                            .until(since.plus(seen));
        }
        Duration limit = Copy.of(c) ? STOP_LIMIT.plus(Following.ARMED_LIMIT) : STOP_LIMIT;
        if (o.at().isAfter(since.plus(limit))) {
            return giveUp(c, "StopTimeout", "the server was not stopped within " + Durations.format(limit));
        }
        return Verdict.of(
                Phase.STOPPING, "Stopping", "the server is stopped", new Decision.Stop(c, Planner.holds(o, c)));
    }

    /** The directory that the Job sees must be the one of the server that we talk to: a host may name another. */
    private static Optional<GivingUp> anotherServer(ServerFacts server, JobLog.Ready ready) {
        boolean same = server.systemIdentifier()
                        .value()
                        .filter(ready.systemIdentifier()::equals)
                        .isPresent()
                && Duration.between(ready.postmasterStart(), server.postmasterStartTime())
                                .abs()
                                .compareTo(Duration.ofSeconds(10))
                        < 0;
        return same
                ? Optional.empty()
                : Optional.of(new GivingUp(
                        "AnotherServer",
                        "connection.host leads to the server "
                                + server.systemIdentifier().value().orElse("unknown")
                                + " started " + server.postmasterStartTime() + ", the volume belongs to "
                                + ready.systemIdentifier() + " started "
                                + ready.postmasterStart() + ": correct connection.host or instanceRef"));
    }
}
