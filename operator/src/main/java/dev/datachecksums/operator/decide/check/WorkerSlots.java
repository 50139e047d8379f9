package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.OnlineFacts;

/** Whether two background workers may be started: the launcher and the worker. With one the run would begin, fail, and leave it off. */
final class WorkerSlots implements OnlineCheck {

    private static final int NEEDED = 2;

    @Override
    public String name() {
        return "WorkerSlots";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        OnlineFacts.WorkerSlots slots = view.facts().slots();
        return slots.free() >= NEEDED
                ? pass()
                : block(
                        "Two background workers are needed, and of max_worker_processes (" + slots.max() + ") only "
                                + slots.free() + " is free",
                        "Raise max_worker_processes and restart the server, or end what uses the others: see backend_type in pg_stat_activity");
    }
}
