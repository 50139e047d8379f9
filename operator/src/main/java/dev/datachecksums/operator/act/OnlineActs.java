package dev.datachecksums.operator.act;

import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.Observer;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.OnlineServer;
import dev.datachecksums.operator.postgres.online.Refusal;
import dev.datachecksums.operator.postgres.online.SessionId;
import java.util.List;
import java.util.Optional;

/** The acts of the online road: what is told to the server. */
public final class OnlineActs {

    private final OnlineServer server;
    private final Observer observer;

    /** With what it acts through; the observer knows the way to the server. */
    public OnlineActs(OnlineServer server, Observer observer) {
        this.server = server;
        this.observer = observer;
    }

    /** Whether it is an act of this road. */
    static boolean knows(Decision d) {
        return d instanceof Decision.BeginOnline
                || d instanceof Decision.EnableOnline
                || d instanceof Decision.DisableOnline
                || d instanceof Decision.Retune
                || d instanceof Decision.TerminateBlockers;
    }

    Outcome carryOut(Observation o, Decision d, Outcome out) throws ServerException {
        if (d instanceof Decision.BeginOnline begin) {
            return out.conversion(begin.conversion()).again();
        }
        Fact<ServerTarget> way = observer.target(o);
        if (way instanceof Fact.Missing<ServerTarget> m) {
            return out.problem(m.message());
        }
        ServerTarget target = way.seen().orElseThrow();
        if (d instanceof Decision.EnableOnline enable) {
            try {
                server.enable(target, enable.throttle());
            } catch (ServerException e) {
                return refused(e, enable, out);
            }
            return out.conversion(enable.conversion()).again();
        }
        if (d instanceof Decision.DisableOnline disable) {
            server.disable(target);
            return out.conversion(disable.conversion()).again();
        }
        if (d instanceof Decision.Retune retune) {
            server.enable(target, retune.throttle());
            return out.conversion(retune.conversion()).again();
        }
        return terminate(target, (Decision.TerminateBlockers) d, out);
    }

    /** What the server refuses it will refuse again: a failed try, with its reason. Anything else may pass. */
    private static Outcome refused(ServerException e, Decision.EnableOnline enable, Outcome out)
            throws ServerException {
        Optional<Refusal> refusal = Refusal.of(e);
        if (refusal.isEmpty()) {
            throw e;
        }
        String reason = switch (refusal.get()) {
            case INVALID_DATABASE -> "InvalidDatabase";
            case NO_WORKER_SLOT -> "NoWorkerSlot";
            case BAD_COST -> "BadCost";
            case IN_RECOVERY -> "InRecovery";
            case NOT_SUPERUSER -> "NotSuperuser";
            case NO_FUNCTION -> "NoFunction";
        };
        return out.conversion(enable.conversion().givenUp(reason + ": " + e.getMessage()))
                .again();
    }

    private Outcome terminate(ServerTarget target, Decision.TerminateBlockers d, Outcome out) throws ServerException {
        List<SessionId> ended = server.terminate(target, d.sessions());
        return out.notes(ended.stream()
                .map(s -> new Outcome.Note(
                        "SessionTerminated",
                        "process " + s.pid() + ", a session since " + s.started()
                                + ", was ended: the conversion waited for it (" + d.why() + ")"))
                .toList());
    }
}
