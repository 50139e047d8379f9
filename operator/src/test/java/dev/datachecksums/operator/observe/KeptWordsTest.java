package dev.datachecksums.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.decide.Workloads;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.online.FakeCluster;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptWordsTest {
    private static final Instant NOW = Observations.NOW;
    private static final ServerAddress ADDRESS = new ServerAddress("orders", 5432, "postgres");

    private final FakeCluster server = new FakeCluster();
    private final ServerFacts word =
            new Servers().functions().started(server.facts().serverStarted()).build();

    private static Optional<ConversionStatus> conversion(ConversionMethod method) {
        return Optional.of(new ConversionStatus(
                Observations.TRY, DesiredState.ENABLED, method, NOW.toString(), null, null, null, null, null, null));
    }

    private static Fact<OnlineView> view(OnlineFacts f) {
        return Fact.known(
                new OnlineView(f, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    private Observation observed(Fact<OnlineView> online) {
        return Observations.atRest()
                .nodes(
                        0,
                        Workloads.node(0, s -> s.functions()).saying(Fact.known(word)),
                        Workloads.node(1, Servers::inRecovery))
                .conversion(conversion(ConversionMethod.ONLINE).orElseThrow())
                .online(online)
                .build();
    }

    @Test
    void aWordIsKeptWhileAConversionOnlineIsUnderWayAndForHalfAMinute() {
        KeptWords kept = new KeptWords();
        kept.keep("uid", NOW, Map.of(ADDRESS, word));
        Optional<ConversionStatus> online = conversion(ConversionMethod.ONLINE);
        assertThat(kept.of("uid", online, NOW.plusSeconds(29))).contains(Map.of(ADDRESS, word));
        assertThat(kept.of("uid", online, NOW.plusSeconds(30))).isEmpty();
        assertThat(kept.of("uid", online, NOW.minusSeconds(1))).isEmpty();
        assertThat(kept.of("other", online, NOW)).isEmpty();
        assertThat(kept.of("uid", Optional.empty(), NOW)).isEmpty();
        assertThat(kept.of("uid", conversion(ConversionMethod.IN_PLACE), NOW)).isEmpty();
        kept.forget("uid");
        assertThat(kept.of("uid", online, NOW)).isEmpty();
    }

    @Test
    void theLookAtTheRunSaysInWhichStateTheServerIs() {
        server.call(true, Throttle.NONE);
        server.state = ChecksumState.INPROGRESS_ON;
        Observation o = KeptWords.confirmed(observed(view(server.facts()))).orElseThrow();
        ServerFacts now = o.server().seen().orElseThrow();
        assertThat(now.checksums()).isEqualTo(ChecksumState.INPROGRESS_ON);
        assertThat(now.observedAt()).isEqualTo(server.now());
        assertThat(o.workload().seen().orElseThrow().nodes())
                .extracting(Node::server)
                .first()
                .isEqualTo(Fact.known(now));
    }

    @Test
    void whenTheRunIsOverOrTheServerWasStartedAnewAllIsAskedForOnceMore() {
        server.state = ChecksumState.ON;
        assertThat(KeptWords.confirmed(observed(view(server.facts())))).isEmpty();
        server.state = ChecksumState.OFF;
        assertThat(KeptWords.confirmed(observed(view(server.facts())))).isPresent();
        server.restart();
        assertThat(KeptWords.confirmed(observed(view(server.facts())))).isEmpty();
        assertThat(KeptWords.confirmed(observed(Fact.missing(Observation.NOT_ASKED, "not asked", "none"))))
                .isEmpty();
    }

    @Test
    void aServerThatDoesNotAnswerTheLookIsNotKnown() {
        Fact<OnlineView> silent = Fact.missing("TimedOut", "it did not answer", "see its log");
        Observation o = KeptWords.confirmed(observed(silent)).orElseThrow();
        assertThat(o.server()).isEqualTo(Fact.missing("TimedOut", "it did not answer", "see its log"));
    }
}
