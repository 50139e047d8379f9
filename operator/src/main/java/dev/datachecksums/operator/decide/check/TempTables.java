package dev.datachecksums.operator.decide.check;

import dev.datachecksums.api.v1alpha1.Blockers;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.online.Sessions;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Whether sessions have kept temporary tables for so long that a run would only stand and wait for them at its end. */
final class TempTables implements OnlineCheck {

    @Override
    public String name() {
        return "TempTables";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        if (o.spec().policy().online().blockers() == Blockers.TERMINATE) {
            return pass();
        }
        Duration patience = Durations.parse(o.spec().policy().stalledAfter());
        Instant now = view.facts().observedAt();
        List<SessionFacts> keepers = view.temporary().stream()
                .flatMap(t -> t.session().stream())
                .filter(s -> s.id().started().isBefore(now.minus(patience)))
                .toList();
        return keepers.isEmpty()
                ? pass()
                : waitFor(
                        "A run ends only once older temporary tables are gone, and sessions that are older than stalledAfter ("
                                + Durations.format(patience) + ") have some: " + Sessions.of(keepers, now),
                        "End those sessions, or have them drop the tables. Or set policy.online.blockers to Terminate");
    }
}
