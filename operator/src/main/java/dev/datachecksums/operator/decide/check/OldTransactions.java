package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.online.Sessions;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.OldTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Whether transactions have been open for so long that a run would only stand and wait for them. Short ones it waits for by itself; those
 * who only read do not matter.
 */
final class OldTransactions implements OnlineCheck {

    @Override
    public String name() {
        return "OldTransactions";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        if (o.spec().policy().online().blockers() == Blockers.TERMINATE) {
            return pass();
        }
        Duration patience = Durations.parse(o.spec().policy().stalledAfter());
        Instant before = view.facts().observedAt().minus(patience);
        List<OldTransaction> old = view.facts().oldTransactions().stream()
                .filter(t -> t.since().isBefore(before))
                .toList();
        return old.isEmpty()
                ? pass()
                : waitFor(
                        "A run begins only once older transactions have ended, and some have been open for longer than stalledAfter ("
                                + Durations.format(patience) + "): "
                                + Sessions.words(old, view.facts().observedAt()),
                        "End them: commit, or SELECT pg_terminate_backend(pid); ROLLBACK PREPARED or COMMIT PREPARED what is prepared. Or set policy.online.blockers to Terminate");
    }
}
