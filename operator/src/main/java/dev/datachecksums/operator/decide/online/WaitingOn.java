package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OldTransaction;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Launcher;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Task;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import dev.datachecksums.operator.postgres.online.SessionId;
import dev.datachecksums.operator.postgres.online.TemporaryTables;
import dev.datachecksums.operator.postgres.online.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run waits for.
 *
 * @param reason one CamelCase word: OldTransaction, TemporaryTables, LockWait, SyncReplication, Barrier, WorkerGone or ThrottleTooTight
 * @param message what, with the sessions behind it
 * @param remedy what to do
 * @param sessions that may be ended for it, where the policy says so
 */
public record WaitingOn(String reason, String message, String remedy, List<SessionId> sessions) {
    /** A throttle that lets a run take longer than this is worth a word. */
    static final Duration TOO_LONG = Duration.ofDays(1);

    private static final String TOO_TIGHT = "ThrottleTooTight";

    /** Copies the list. */
    public WaitingOn {
        sessions = List.copyOf(sessions);
    }

    /**
     * What it waits for now; empty while it works.
     *
     * @param temporary of the worker's database, if it waits for those
     * @param throttled time to the end by the throttle alone; empty if it does not throttle
     */
    public static Optional<WaitingOn> of(
            OnlineFacts f, List<TemporaryTables> temporary, Optional<Duration> throttled, Instant now) {
        Optional<Launcher> launcher = f.progress().launcher();
        Optional<Worker> worker = f.progress().worker();
        if (launcher.isEmpty()) {
            return Optional.empty();
        }
        Task leads = launcher.get().process();
        if (leads.waitsFor(Waits.START_CONDITION)) {
            return transactions(f, Waits.forTransactionsBefore(launcher.get()), now);
        }
        if (worker.isPresent()) {
            Task works = worker.get().process();
            if (works.waitsFor(Waits.TEMPORARY_TABLES)) {
                return Optional.of(temporary(worker.get(), temporary, now));
            }
            if (works.waitsForType("Lock")) {
                return Optional.of(lock(f, now));
            }
            if (works.waitsFor(Waits.SYNC_REPLICATION)) {
                return Optional.of(syncReplication(""));
            }
            return throttled.filter(t -> t.compareTo(TOO_LONG) > 0).map(WaitingOn::throttle);
        }
        if (Waits.barrier(leads)) {
            return Optional.of(barrier(f, now));
        }
        if (leads.waitsForType("Lock")) {
            return Optional.of(lock(f, now));
        }
        boolean unfinished = launcher.get().databasesTotal() != null
                && launcher.get().databasesDone() != null
                && launcher.get().databasesDone() < launcher.get().databasesTotal();
        return unfinished && leads.waits() != null && !leads.waitsForType("IO")
                ? Optional.of(new WaitingOn(
                        "WorkerGone",
                        "the launcher waits for a worker, and none is at work",
                        "If this stays: see the server's log, and max_worker_processes against what runs",
                        List.of()))
                : Optional.empty();
    }

    /** Whether it is its own throttle. */
    public boolean throttle() {
        return reason.equals(TOO_TIGHT);
    }

    /** The launcher looks again every 3 s only: where the last one has ended already there is nobody to wait for. */
    private static Optional<WaitingOn> transactions(OnlineFacts f, OptionalLong before, Instant now) {
        List<OldTransaction> old = f.oldTransactions().stream()
                .filter(t -> before.isEmpty() || t.before(before.getAsLong()))
                .toList();
        if (old.isEmpty()) {
            return Optional.empty();
        }
        List<OldTransaction.OfSession> ofSessions = old.stream()
                .filter(OldTransaction.OfSession.class::isInstance)
                .map(OldTransaction.OfSession.class::cast)
                .toList();
        boolean allSync = ofSessions.size() == old.size() && ofSessions.stream().allMatch(WaitingOn::inCommit);
        if (allSync) {
            return Optional.of(syncReplication(": " + Sessions.words(old, now)));
        }
        String message =
                "the run begins once transactions that are older than it have ended: " + Sessions.words(old, now);
        return Optional.of(new WaitingOn(
                "OldTransaction",
                message,
                "End them: commit, or SELECT pg_terminate_backend(pid); ROLLBACK PREPARED or COMMIT PREPARED what is"
                        + " prepared. Or set policy.online.blockers to Terminate",
                // Where the launcher does not say for whom it waits, nobody is known to be one of them.
                ofSessions.stream()
                        .filter(s -> before.isPresent()
                                && !inCommit(s)
                                && s.session().user() != null)
                        .map(s -> s.session().id())
                        .toList()));
    }

    /** A session whose commit waits for a standby takes no note of anything meanwhile. */
    private static WaitingOn barrier(OnlineFacts f, Instant now) {
        List<OldTransaction> unconfirmed = f.oldTransactions().stream()
                .filter(t -> t instanceof OldTransaction.OfSession s && inCommit(s))
                .toList();
        return unconfirmed.isEmpty()
                ? new WaitingOn(
                        "Barrier",
                        "the server waits until each of its processes has taken note of the new state",
                        "A process that is stuck in a long call (an extension, a foreign server, a stopped debugger)"
                                + " holds it up: find it in pg_stat_activity and cancel it",
                        List.of())
                : syncReplication(": " + Sessions.words(unconfirmed, now));
    }

    /** To end such a session would only take its confirmation away. */
    private static boolean inCommit(OldTransaction.OfSession s) {
        String waits = s.session().waits();
        return waits != null && waits.endsWith(":" + Waits.SYNC_REPLICATION);
    }

    private static WaitingOn temporary(Worker worker, List<TemporaryTables> tables, Instant now) {
        List<SessionFacts> sessions =
                tables.stream().flatMap(t -> t.session().stream()).toList();
        List<String> orphans = tables.stream()
                .filter(t -> t.session().isEmpty())
                .map(TemporaryTables::schema)
                .toList();
        StringBuilder message = new StringBuilder(
                "database " + worker.database() + " is done but for temporary tables that are older than its worker: ");
        message.append(Sessions.of(sessions, now));
        String remedy = "End those sessions, or have them drop the tables. Or set policy.online.blockers to Terminate";
        if (!orphans.isEmpty()) {
            message.append(sessions.isEmpty() ? "" : "; ")
                    .append("left behind by a crash, of no session: ")
                    .append(String.join(", ", orphans));
            remedy += ". What is of no session autovacuum drops in time; DROP SCHEMA " + orphans.get(0)
                    + " CASCADE in that database drops it now";
        }
        return new WaitingOn(
                "TemporaryTables",
                message.toString(),
                remedy,
                sessions.stream().map(SessionFacts::id).toList());
    }

    private static WaitingOn lock(OnlineFacts f, Instant now) {
        String holders = Sessions.of(f.lockHolders(), now);
        return new WaitingOn(
                "LockWait",
                "a process of the run waits for a lock" + (holders.isEmpty() ? "" : " that is held by " + holders),
                "It goes on when the lock is released: end that statement or transaction if it should not take so long",
                List.of());
    }

    private static WaitingOn syncReplication(String who) {
        return new WaitingOn(
                "SyncReplication",
                "commits wait for a synchronous standby that does not confirm them" + who,
                "Bring the standby back, or take it out of synchronous_standby_names",
                List.of());
    }

    private static WaitingOn throttle(Duration left) {
        return new WaitingOn(
                TOO_TIGHT,
                "at this throttle it takes " + Words.duration(left) + " more",
                "Raise policy.online.costLimit or lower costDelay: a change holds from the next relation",
                List.of());
    }
}
