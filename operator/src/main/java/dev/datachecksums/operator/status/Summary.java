package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.status.Conditions.Is;
import java.util.List;
import java.util.Optional;

/**
 * The conditions. Ready, Reconciling and Stalled follow kstatus: Reconciling while something goes on, Stalled when it
 * will not go on by itself. Ready is True only from a measurement of this generation by the server itself.
 */
final class Summary {

    /** On the resource: a full backup was begun at that time. */
    static final String BACKUP_TAKEN = "datachecksums.dev/backup-taken";

    private Summary() {}

    static List<StatusCondition> conditions(Observation o, Verdict v, Outcome out) {
        Conditions c = new Conditions(o.status().conditions(), o.resource().generation(), o.at());
        String message =
                out.problem().map(p -> v.message() + ". Not done yet: " + p).orElse(v.message());
        boolean ready = ready(o, v);
        boolean unknown =
                !ready && o.conversion().isEmpty() && o.server().seen().isEmpty();
        c.set("Ready", ready ? Is.TRUE : unknown ? Is.UNKNOWN : Is.FALSE, v.reason(), message);
        boolean stalled = stalled(v);
        boolean reconciling = !ready && !stalled;
        c.set(
                "Reconciling",
                Is.of(reconciling),
                reconciling ? v.reason() : "Idle",
                reconciling ? message : "nothing is under way");
        c.set(
                "Stalled",
                Is.of(stalled),
                stalled ? v.reason() : "NotStalled",
                stalled ? message : "nothing stands still");
        server(o, c);
        Failures.condition(o, c);
        backup(o, out, c);
        return c.list();
    }

    private static void backup(Observation o, Outcome out, Conditions c) {
        LastConversion last = out.last();
        if (last == null) {
            c.keep("BackupAdvised");
            return;
        }
        String what = "the cluster was converted at " + last.completed();
        Acknowledgement taken = Acknowledgement.of(o, BACKUP_TAKEN);
        if (taken.covers(Times.instant(last.completed()))) {
            c.set("BackupAdvised", Is.FALSE, "BackupTaken", what + ", and a full backup was noted since");
            return;
        }
        c.set(
                "BackupAdvised",
                Is.TRUE,
                "ConvertedSinceBackup",
                what
                        + ": take a new full backup (incremental ones may judge pages by the state before), then note it in"
                        + " the annotation " + BACKUP_TAKEN + taken.complaint());
    }

    private static boolean ready(Observation o, Verdict v) {
        boolean phase = v.phase() == Phase.CONVERGED || v.phase() == Phase.SUSPENDED;
        return phase
                && asDeclared(o)
                && !(v.decision() instanceof Decision.GiveUp)
                && v.findings().isEmpty();
    }

    /** Whether the server itself says, in this observation, that it is as this generation declares. */
    static boolean asDeclared(Observation o) {
        ChecksumState wanted = Observation.declared(o.spec().state());
        return o.server()
                .seen()
                .filter(s -> s.checksums() == wanted && (!s.inRecovery() || Nodes.standby(o)))
                .filter(s -> Nodes.all(o, o.spec().state()))
                .isPresent();
    }

    private static boolean stalled(Verdict v) {
        return v.phase() == Phase.BLOCKED || v.phase() == Phase.FAILED || v.phase() == Phase.DRIFTED || v.stalled();
    }

    private static void server(Observation o, Conditions c) {
        Optional<ServerFacts> server = o.server().seen();
        if (server.isEmpty()) {
            c.keep("OnlineCapable").keep("UpgradeReady");
            return;
        }
        ServerFacts s = server.get();
        c.set(
                "OnlineCapable",
                Is.of(s.onlineFunctions()),
                s.onlineFunctions() ? "FunctionPresent" : "FunctionAbsent",
                "PostgreSQL " + s.serverVersion() + (s.onlineFunctions() ? " has" : " lacks")
                        + " the function pg_enable_data_checksums()");
        boolean settled =
                o.conversion().isEmpty() && (s.checksums() == ChecksumState.ON || s.checksums() == ChecksumState.OFF);
        c.set(
                "UpgradeReady",
                Is.of(settled),
                settled ? "Settled" : "ConversionUnderWay",
                settled
                        ? "pg_upgrade will find a settled state; see status.upgrade"
                        : "pg_upgrade must wait for the end of the conversion");
    }
}
