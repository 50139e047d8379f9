package dev.datachecksums.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Decider;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import dev.datachecksums.operator.postgres.online.FakeCluster;
import dev.datachecksums.operator.postgres.online.FakeOnlineServer;
import dev.datachecksums.operator.postgres.online.FakeSession.Holds;
import dev.datachecksums.operator.status.StatusReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random stories of a scripted server and the real decisions: runs are ended, the server restarts, sessions hold runs up, somebody calls
 * the functions, the specification is changed, the operator forgets all that it kept. Ready is never true while the server says
 * otherwise, and once it is quiet the server is as declared.
 */
class OnlineStoriesTest {
    private static final int STORIES = 500;
    private static final int QUIET = 3000;
    private static final ServerTarget TARGET = new ServerTarget(
            new ServerAddress("scripted", 1, "postgres"),
            new Credentials("postgres", "unused"),
            Tls.of(Tls.Mode.DISABLE),
            Timeouts.DEFAULT);

    private final Decider decider = new Decider(Gates.standard());
    private int begun;
    private int aborted;
    private int looks;
    private int asked;

    @Test
    void everyStoryEndsAsDeclared() throws ServerException {
        for (long seed = 1; seed <= STORIES; seed++) {
            try {
                new Story(seed).tell();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("story " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(begun).isGreaterThan(STORIES);
        assertThat(aborted).isGreaterThan(STORIES / 5);
        assertThat(asked).as("full words asked for in %d looks at runs", looks).isLessThan(looks / 4);
    }

    private final class Story {
        private final Random random;
        private final FakeCluster server = new FakeCluster();
        private final FakeOnlineServer online = new FakeOnlineServer();
        private OnlineWatch watch = new OnlineWatch(online);
        private KeptWords kept = new KeptWords();
        private DesiredState declared = DesiredState.ENABLED;
        private boolean suspended;
        private long generation = 1;
        private DataChecksumsStatus status = DataChecksumsStatus.EMPTY;

        Story(long seed) {
            random = new Random(seed);
            online.serve(1, server);
            server.databases.get(0).add("filler", 500 + random.nextInt(40_000));
        }

        void tell() throws ServerException {
            for (int i = 0; i < 400; i++) {
                if (random.nextInt(20) == 0) {
                    disturb();
                }
                look();
            }
            server.sessions.clear();
            suspended = false;
            generation++;
            for (int i = 0; i < QUIET && !atRest(); i++) {
                look();
            }
            assertThat(server.state)
                    .as("at the end: " + status)
                    .isEqualTo(declared == DesiredState.ENABLED ? ChecksumState.ON : ChecksumState.OFF);
            assertThat(status.phase()).isEqualTo(Phase.CONVERGED);
        }

        private boolean atRest() {
            return status.phase() == Phase.CONVERGED
                    && status.conversion() == null
                    && Long.valueOf(generation).equals(status.observedGeneration());
        }

        private void disturb() {
            switch (random.nextInt(11)) {
                case 0 -> server.workerTerminated();
                case 1 -> server.launcherTerminated();
                case 2 -> server.restart();
                case 3 -> server.call(false, dev.datachecksums.operator.postgres.online.Throttle.NONE);
                case 4 -> server.call(true, dev.datachecksums.operator.postgres.online.Throttle.NONE);
                case 5 -> {
                    declared = declared == DesiredState.ENABLED ? DesiredState.DISABLED : DesiredState.ENABLED;
                    generation++;
                }
                case 6 -> {
                    suspended = !suspended;
                    generation++;
                }
                case 7 -> {
                    watch = new OnlineWatch(online);
                    kept = new KeptWords();
                }
                case 8 -> server.sessions.clear();
                default -> server.open("postgres", Holds.values()[random.nextInt(Holds.values().length)], "filler");
            }
        }

        private void look() throws ServerException {
            ChecksumState before = server.state;
            Observation o = observe();
            ChecksumState after = server.state;
            Verdict v = decider.decide(o);
            Outcome out = act(v.decision());
            DataChecksumsStatus next = StatusReport.of(o, v, out);
            boolean ready = next.conditions() != null
                    && next.conditions().stream()
                            .anyMatch(
                                    c -> c.type().equals("Ready") && c.status().equals("True"));
            if (ready) {
                assertThat(List.of(before, after))
                        .as("what it may have said during the look")
                        .contains(declared == DesiredState.ENABLED ? ChecksumState.ON : ChecksumState.OFF);
            }
            // Now and then the write is lost.
            if (random.nextInt(30) != 0) {
                status = next;
            }
        }

        private Observation observe() {
            Optional<ConversionStatus> c = Optional.ofNullable(status.conversion());
            looks += c.isPresent() ? 1 : 0;
            return kept.of("uid", c, server.now())
                    .map(words -> observe(Optional.ofNullable(words.get(TARGET.address()))))
                    .flatMap(KeptWords::confirmed)
                    .orElseGet(this::observeInFull);
        }

        private Observation observeInFull() {
            asked += status.conversion() == null ? 0 : 1;
            Observation o = observe(Optional.empty());
            if (o.online().seen().isPresent()) {
                kept.keep(
                        "uid",
                        o.at(),
                        Map.of(TARGET.address(), o.server().seen().orElseThrow()));
            } else {
                kept.forget("uid");
            }
            return o;
        }

        private Observation observe(Optional<ServerFacts> word) {
            Observations given = Observations.atRest()
                    .at(server.now())
                    .generation(generation)
                    .state(declared)
                    .attempts(1000)
                    .status(status)
                    .server(s -> s.functions()
                            .checksums(server.state)
                            .observedAt(server.now())
                            .started(server.facts().serverStarted()));
            word.ifPresent(w -> given.server(Fact.known(w)));
            ConversionStatus c = status.conversion();
            boolean due = c != null
                    || server.state != (declared == DesiredState.ENABLED ? ChecksumState.ON : ChecksumState.OFF);
            return (suspended ? given.suspended() : given)
                    .online(due ? watch.look("uid", TARGET, status) : unasked())
                    .build();
        }

        /** Time goes on also where nobody looks at the run. */
        private Fact<OnlineView> unasked() {
            server.tick();
            return Observation.notAsked();
        }

        private Outcome act(Decision d) throws ServerException {
            if (d instanceof Decision.BeginOnline begin) {
                begun++;
                return out(begin.conversion(), status.attempts(), status.lastConversion());
            }
            if (d instanceof Decision.EnableOnline enable) {
                online.enable(TARGET, enable.throttle());
                return out(enable.conversion(), status.attempts(), status.lastConversion());
            }
            if (d instanceof Decision.DisableOnline disable) {
                online.disable(TARGET);
                return out(disable.conversion(), status.attempts(), status.lastConversion());
            }
            if (d instanceof Decision.GiveUp up) {
                ConversionStatus c = up.conversion();
                ConversionStatus givingUp = new ConversionStatus(
                        c.id(),
                        c.to(),
                        c.method(),
                        c.started(),
                        null,
                        null,
                        c.bytes(),
                        null,
                        null,
                        up.reason() + ": " + up.message(),
                        c.online(),
                        null);
                return out(givingUp, status.attempts(), status.lastConversion());
            }
            if (d instanceof Decision.EndTry end) {
                aborted += end.counts() ? 1 : 0;
                return out(null, end.attempts(), status.lastConversion());
            }
            if (d instanceof Decision.Complete done) {
                return out(null, null, done.result());
            }
            assertThat(d).isInstanceOf(Decision.Nothing.class);
            return out(status.conversion(), status.attempts(), status.lastConversion());
        }

        private Outcome out(
                @Nullable ConversionStatus c, @Nullable AttemptsStatus attempts, @Nullable LastConversion last) {
            return new Outcome(c, attempts, last, Optional.empty(), false, Optional.empty(), List.of());
        }
    }
}
