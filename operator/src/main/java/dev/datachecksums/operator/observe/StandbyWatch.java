package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import dev.datachecksums.operator.postgres.standby.StandbyServer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Looks whether a copy of a server could be brought up beside it: into every database, so not at every observation. */
public final class StandbyWatch {

    private static final Duration KEPT = Duration.ofSeconds(10);

    private final StandbyServer server;
    private final Clock clock;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /** Looks through that. */
    public StandbyWatch(StandbyServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    private record Look(Instant at, Fact<StandbyFacts> facts) {}

    /** Forgets a resource that has gone. */
    public void forget(String uid) {
        looks.remove(uid);
    }

    /** Whether it matters: checksums are to be enabled offline, by policy a copy may do it, and the server can be asked. */
    static boolean due(DataChecksumsSpec spec, @Nullable ConversionStatus c, ServerFacts s) {
        boolean asked =
                c == null ? spec.state() == DesiredState.ENABLED : c.method() == ConversionMethod.TEMPORARY_STANDBY;
        return asked
                && spec.policy().method() != Method.ONLINE
                && (c != null || spec.policy().offline().strategy() != OfflineStrategy.IN_PLACE)
                && !s.onlineFunctions()
                && s.checksums() == ChecksumState.OFF
                && s.superuser()
                && !s.inRecovery()
                && s.forkName().isEmpty()
                && s.poolerEvidence().isEmpty();
    }

    /** One look, or what was seen a moment ago; missing if the server could not be asked. */
    Fact<StandbyFacts> look(String uid, ServerTarget target) {
        Look last = looks.get(uid);
        Instant now = clock.instant();
        if (last != null && now.isBefore(last.at().plus(KEPT))) {
            return last.facts();
        }
        Fact<StandbyFacts> seen = read(target);
        looks.put(uid, new Look(now, seen));
        return seen;
    }

    private Fact<StandbyFacts> read(ServerTarget target) {
        try {
            return Fact.known(server.read(target));
        } catch (ServerException e) {
            return Fact.missing(
                    Observer.camel(e.kind().name()),
                    String.valueOf(e.getMessage()),
                    "see spec.connection and the server's log");
        }
    }
}
