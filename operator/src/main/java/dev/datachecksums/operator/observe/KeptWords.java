package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.observe.Fact.Missing;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What servers said of themselves in full, kept while they convert online. A run is looked at each second, on the processors that it
 * runs on: it is asked for what moves, and its answer tells whether all the rest still holds. What it does not tell, such as a right that was
 * taken away or a base backup that began, is known {@link #KEPT} later.
 */
final class KeptWords {

    /** How old the full word may get. */
    static final Duration KEPT = Duration.ofSeconds(30);

    private record Kept(Instant since, Map<ServerAddress, ServerFacts> words) {}

    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    /** What was said in full at that moment, by address; for the resource with that uid. */
    void keep(String uid, Instant since, Map<ServerAddress, ServerFacts> words) {
        kept.put(uid, new Kept(since, Map.copyOf(words)));
    }

    void forget(String uid) {
        kept.remove(uid);
    }

    /** The full words, if a conversion online is under way and they are not too old for it. */
    Optional<Map<ServerAddress, ServerFacts>> of(String uid, Optional<ConversionStatus> conversion, Instant now) {
        return conversion
                .filter(c -> c.method() == ConversionMethod.ONLINE)
                .flatMap(c -> Optional.ofNullable(kept.get(uid)))
                .filter(k -> !now.isBefore(k.since()) && now.isBefore(k.since().plus(KEPT)))
                .map(Kept::words);
    }

    /**
     * An observation by kept words, with what the look at the run says of the server. Empty where that says that it was started anew, changed
     * sides or has got where the run leads: then all is to be asked for once more.
     */
    static Optional<Observation> confirmed(Observation o) {
        if (o.online() instanceof Missing<OnlineView> m) {
            return m.reason().equals(Observation.NOT_ASKED)
                    ? Optional.empty()
                    : Optional.of(saying(o, Fact.missing(m.reason(), m.message(), m.remedy())));
        }
        OnlineFacts f = o.online().seen().orElseThrow().facts();
        ChecksumState end = Observation.declared(o.conversion().orElseThrow().to());
        return o.server()
                .seen()
                .filter(s -> f.serverStarted().equals(s.postmasterStartTime())
                        && s.inRecovery() == (f.timeline() == 0)
                        && f.checksums() != end)
                .map(s -> saying(o, Fact.known(s.at(f.observedAt(), f.checksums()))));
    }

    private static Observation saying(Observation o, Fact<ServerFacts> word) {
        return o.seeing(
                word,
                o.workload()
                        .seen()
                        .<Fact<WorkloadFacts>>map(w -> Fact.known(w.among(w.nodes().stream()
                                .map(n -> n.server().equals(o.server()) ? n.saying(word) : n)
                                .toList())))
                        .orElse(o.workload()));
    }
}
