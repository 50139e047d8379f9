package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import dev.datachecksums.api.v1alpha1.OnlineRunStatus;
import dev.datachecksums.operator.decide.online.ClusterProgress;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OldTransaction;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Step;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Task;
import dev.datachecksums.operator.postgres.online.Replica;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import dev.datachecksums.operator.postgres.online.SessionId;
import dev.datachecksums.operator.postgres.online.TemporaryTables;
import dev.datachecksums.operator.postgres.online.WalFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Observations of a server that can convert online, for tests: off, with nothing under way, unless said otherwise. */
final class OnlineRuns implements Case.Given {
    static final Instant NOW = Observations.NOW;
    static final Instant STARTED = NOW.minusSeconds(86_400);

    private ChecksumState state = ChecksumState.OFF;
    private Instant serverStarted = STARTED;
    private Optional<Launcher> launcher = Optional.empty();
    private final List<OldTransaction> old = new ArrayList<>();
    private final List<TemporaryTables> temporary = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private Optional<DiskSpace> space = Optional.of(new DiskSpace(100L << 30, 60L << 30));
    private Instant moved = NOW;
    private OnlinePolicy policy = OnlinePolicy.DEFAULT;
    private int workers = 1;
    private boolean invalid;
    private boolean missing;
    private UnaryOperator<Observations> more = o -> o;

    static OnlineRuns server() {
        return new OnlineRuns();
    }

    /** Called for long enough, and at work on it. */
    static OnlineRuns enabling() {
        return server().under(DesiredState.ENABLED, 100)
                .state(ChecksumState.INPROGRESS_ON)
                .working();
    }

    static ConversionStatus conversion(DesiredState to, @Nullable Integer calledSecondsAgo, @Nullable String givingUp) {
        String called = calledSecondsAgo == null
                ? null
                : NOW.minusSeconds(calledSecondsAgo).toString();
        OnlineRunStatus run = called == null
                ? null
                : new OnlineRunStatus(called, STARTED.toString(), 1, "0ms", 100, "0ms", 100, null, null, 0L, null);
        return new ConversionStatus(
                Observations.TRY,
                to,
                ConversionMethod.ONLINE,
                NOW.minusSeconds(300).toString(),
                null,
                null,
                300_000_000L,
                null,
                null,
                givingUp,
                run,
                null);
    }

    /** A conversion is under way. */
    OnlineRuns under(DesiredState to, @Nullable Integer calledSecondsAgo) {
        return and(o -> o.conversion(conversion(to, calledSecondsAgo, null)));
    }

    OnlineRuns givingUp(DesiredState to, String why) {
        return and(o -> o.conversion(conversion(to, 100, why)));
    }

    OnlineRuns state(ChecksumState s) {
        this.state = s;
        return this;
    }

    OnlineRuns restarted() {
        this.serverStarted = NOW.minusSeconds(5);
        return this;
    }

    OnlineRuns launcher(Step step, @Nullable String waits) {
        this.launcher = Optional.of(new Launcher(
                new Task(70, NOW.minusSeconds(100), step, waits, "Waiting for transactions older than 800 to end"),
                step == Step.ENABLING ? 3L : null,
                step == Step.ENABLING ? 1L : null));
        return this;
    }

    /** At work on its second database. */
    OnlineRuns working() {
        return launcher(Step.ENABLING, null);
    }

    OnlineRuns oldTransaction(int pid, Duration age) {
        Instant since = NOW.minus(age);
        old.add(new OldTransaction.OfSession(
                700,
                since,
                new SessionFacts(
                        new SessionId(pid, since),
                        "app",
                        "billing",
                        "shop",
                        "idle in transaction",
                        since,
                        since,
                        null,
                        null)));
        return this;
    }

    OnlineRuns temporaryTable(int pid, Duration age) {
        temporary.add(new TemporaryTables(
                "pg_temp_1",
                1,
                Optional.of(new SessionFacts(
                        new SessionId(pid, NOW.minus(age)), "app", "etl", "shop", "idle", null, null, null, null))));
        return this;
    }

    OnlineRuns replica(long lag) {
        replicas.add(new Replica("standby-1", null, "streaming", "async", lag));
        return this;
    }

    OnlineRuns space(@Nullable DiskSpace s) {
        this.space = Optional.ofNullable(s);
        return this;
    }

    OnlineRuns stoodFor(Duration d) {
        this.moved = NOW.minus(d);
        return this;
    }

    OnlineRuns policy(String costDelay, int costLimit, @Nullable String maxLag, Blockers blockers) {
        this.policy = new OnlinePolicy(costDelay, costLimit, maxLag, blockers, "10m");
        return this;
    }

    OnlineRuns workers(int used) {
        this.workers = used;
        return this;
    }

    OnlineRuns invalidDatabase() {
        this.invalid = true;
        return this;
    }

    OnlineRuns unseen() {
        this.missing = true;
        return this;
    }

    OnlineRuns and(UnaryOperator<Observations> change) {
        UnaryOperator<Observations> before = more;
        this.more = o -> change.apply(before.apply(o));
        return this;
    }

    @Override
    public Observation build() {
        return more.apply(Observations.atRest()
                        .server(s ->
                                s.functions().checksums(state).version(200_000).started(serverStarted)))
                .online(policy)
                .online(missing ? Fact.missing("TimedOut", "it did not answer", "see its log") : Fact.known(view()))
                .build();
    }

    private OnlineView view() {
        OnlineFacts facts = new OnlineFacts(
                NOW,
                state,
                serverStarted,
                1,
                new OnlineProgress(launcher, Optional.empty()),
                List.of(
                        new OnlineFacts.DatabaseSize(5, "postgres", 100_000_000, true, false),
                        new OnlineFacts.DatabaseSize(9, "shop", 100_000_000, true, invalid)),
                0,
                Answer.given(0L),
                old,
                List.of(),
                replicas,
                new OnlineFacts.WorkerSlots(8, workers),
                new WalFacts(16L << 20, 1L << 30, 0, 0, false, false),
                OnlineFacts.Costs.DEFAULT);
        return new OnlineView(
                facts,
                temporary,
                space,
                ClusterProgress.of(facts, Optional.empty(), null),
                Optional.of(50_000_000L),
                Optional.of(moved));
    }
}
