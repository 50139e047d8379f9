package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.observe.SessionFacts;
import dev.datachecksums.operator.observe.SessionFacts.State;
import java.time.Instant;
import java.util.Optional;

/** The session that the operator of the model holds to a server: by it the interlock is set, and the server is stopped. */
final class ModelSession {

    private SessionFacts facts;
    private Instant postmaster = Instant.EPOCH;

    ModelSession(ModelWorld w) {
        facts = SessionFacts.none(w.now);
    }

    SessionFacts facts() {
        return facts;
    }

    boolean ready() {
        return facts.state() == State.READY;
    }

    void close(ModelWorld w) {
        facts = SessionFacts.none(w.now);
    }

    /** It breaks when its postmaster ends, and is ready some time after it was asked for. */
    void step(ModelWorld w) {
        boolean broken = facts.state() != State.NONE && (!w.serving() || !w.postmasterStart.equals(postmaster));
        if (broken && facts.state() != State.BROKEN) {
            facts = new SessionFacts(State.BROKEN, w.now, facts.interlocked(), Optional.of("broke"));
        } else if (facts.state() == State.PREPARING && w.chance(60)) {
            facts = new SessionFacts(State.READY, w.now, facts.interlocked(), Optional.empty());
        }
    }

    void hold(ModelWorld w) {
        if (facts.state() != State.PREPARING) {
            facts = new SessionFacts(State.PREPARING, w.now, facts.interlocked(), Optional.empty());
            postmaster = w.postmasterStart;
        }
    }

    void arm(ModelWorld w) {
        if (w.serving()) {
            w.line = true;
            facts = new SessionFacts(State.READY, facts.since(), Optional.of(w.now), Optional.empty());
        }
    }
}
