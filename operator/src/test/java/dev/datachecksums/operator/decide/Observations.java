package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.offline.JobFacts;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds observations for tests. By default: a resource {@code orders} that declares Enabled, and its server, a
 * StatefulSet {@code orders-db} of one ready pod on a claim, which is off, serves 300 MB and passes every check.
 */
public final class Observations extends GivenDeclaration<Observations> implements Case.Given {
    /** The time of every observation, unless another is given. */
    public static final Instant NOW = Instant.parse("2026-11-30T20:00:00Z");
    /** Name of the try that {@link #converting} puts under way. */
    public static final String TRY = "dck-orders-1a2b3c4d";

    private Instant at = NOW;
    private @Nullable DesiredState convergedState;
    private @Nullable ConversionStatus conversion;
    private @Nullable AttemptsStatus tried;
    private @Nullable LastConversion last;
    private Fact<ServerFacts> server = Fact.known(new Servers().build());
    private Fact<WorkloadFacts> workload = Fact.known(new Workloads().build());
    private final List<JobFacts> jobs = new ArrayList<>();
    private SessionFacts session = SessionFacts.none(NOW);
    private Optional<String> conflict = Optional.empty();
    private List<String> forbidden = List.of();

    private Fact<StandbyFacts> standby = Observation.notAsked();
    private Fact<OnlineView> online = Observation.notAsked();

    private @Nullable DataChecksumsStatus status;

    private Observations() {}

    @Override
    Observations self() {
        return this;
    }

    /** At rest, and everything is well. */
    public static Observations atRest() {
        return new Observations();
    }

    /** A conversion to Enabled was begun ten seconds ago; it has no Job yet. */
    public static Observations converting() {
        return new Observations().finalizer(true).conversion(conversion(DesiredState.ENABLED, null, null));
    }

    /** The same, stopped five seconds ago. */
    public static Observations stopped() {
        return converting()
                .conversion(conversion(DesiredState.ENABLED, NOW.minusSeconds(5), null))
                .serverMissing(Observation.STOPPED);
    }

    /** The same, being given up. */
    public static Observations givingUp(String why) {
        return stopped()
                .conversion(conversion(DesiredState.ENABLED, NOW.minusSeconds(5), why))
                .serverMissing("Unreachable");
    }

    /** A conversion of the default pod, begun ten seconds ago. */
    public static ConversionStatus conversion(DesiredState to, @Nullable Instant stopped, @Nullable String givingUp) {
        return new ConversionStatus(
                TRY,
                to,
                ConversionMethod.IN_PLACE,
                NOW.minusSeconds(10).toString(),
                Workloads.POD,
                Workloads.POD_UID,
                300_000_000L,
                stopped == null ? null : stopped.toString(),
                null,
                givingUp);
    }

    public Observations at(Instant t) {
        this.at = t;
        return this;
    }

    /** No instanceRef. */
    public Observations external() {
        return withoutInstance().workloadMissing(Observation.EXTERNAL);
    }

    /** The declared state that it was last measured in. */
    public Observations convergedState(@Nullable DesiredState s) {
        this.convergedState = s;
        return this;
    }

    public Observations conversion(@Nullable ConversionStatus c) {
        this.conversion = c;
        return this;
    }

    public Observations tried(@Nullable AttemptsStatus a) {
        this.tried = a;
        return this;
    }

    /** So many failures of this generation, the last one then. */
    public Observations tried(int count, Instant last) {
        return tried(new AttemptsStatus(count, "StrayFile", "a stray file", last.toString(), generation()));
    }

    public Observations last(@Nullable LastConversion l) {
        this.last = l;
        return this;
    }

    /** The server serves and says other things than by default. */
    public Observations server(Consumer<Servers> change) {
        Servers s = new Servers();
        change.accept(s);
        this.server = Fact.known(s.build());
        return this;
    }

    public Observations server(Fact<ServerFacts> fact) {
        this.server = fact;
        return this;
    }

    public Observations serverMissing(String reason) {
        return server(Fact.missing(reason, "message of " + reason, "remedy of " + reason));
    }

    /** The workload is another than by default. */
    public Observations workload(Consumer<Workloads> change) {
        Workloads w = new Workloads();
        change.accept(w);
        this.workload = Fact.known(w.build());
        return this;
    }

    /** It is a primary and its standbys, and looked at is that one of them. */
    public Observations nodes(int focus, Node... all) {
        return nodes(all[focus], List.of(all));
    }

    Observations nodes(Node focus, List<Node> all) {
        this.server = focus.server();
        this.workload = Fact.known(focus.alone().among(all));
        return this;
    }

    public Observations workloadMissing(String reason) {
        this.workload = Fact.missing(reason, "message of " + reason, "remedy of " + reason);
        return this;
    }

    public Observations job(Jobs job) {
        return job(job.build());
    }

    public Observations job(JobFacts job) {
        this.jobs.add(job);
        return this;
    }

    /** The held session is in this state since two seconds ago. */
    public Observations session(SessionFacts.State s) {
        return session(new SessionFacts(s, at.minusSeconds(2), Optional.empty(), Optional.empty()));
    }

    /** The held session is ready, and the interlock was written through it then. */
    public Observations interlocked(Instant t) {
        return session(new SessionFacts(SessionFacts.State.READY, t, Optional.of(t), Optional.empty()));
    }

    public Observations session(SessionFacts s) {
        this.session = s;
        return this;
    }

    /** An older resource declares the same server. */
    public Observations conflict(String other) {
        this.conflict = Optional.of(other);
        return this;
    }

    /** The operator lacks these verbs. */
    public Observations forbidden(String... verbs) {
        this.forbidden = List.of(verbs);
        return this;
    }

    /** The same with a whole status, instead of what was given of it. */
    public Observations status(DataChecksumsStatus whole) {
        this.status = whole;
        return this;
    }

    /** The server was asked what a copy needs; by default it has all of it. */
    public Observations standby(Consumer<StandbyNeeds> change) {
        StandbyNeeds s = new StandbyNeeds();
        change.accept(s);
        this.standby = Fact.known(s.build());
        return this;
    }

    public Observations standby(Fact<StandbyFacts> fact) {
        this.standby = fact;
        return this;
    }

    public Observations standbyMissing(String reason) {
        this.standby = Fact.missing(reason, "message of " + reason, "remedy of " + reason);
        return this;
    }

    /** The server was asked how its own switch goes. */
    public Observations online(Fact<OnlineView> fact) {
        this.online = fact;
        return this;
    }

    @Override
    public Observation build() {
        DataChecksumsStatus told = status != null
                ? status
                : new DataChecksumsStatus(
                        null,
                        null,
                        null,
                        convergedState,
                        null,
                        null,
                        null,
                        null,
                        conversion,
                        null,
                        tried,
                        null,
                        null,
                        null,
                        last,
                        null);
        return new Observation(
                at,
                resource(),
                spec(),
                told,
                server,
                workload,
                List.copyOf(jobs),
                session,
                conflict,
                forbidden,
                online,
                standby);
    }
}
