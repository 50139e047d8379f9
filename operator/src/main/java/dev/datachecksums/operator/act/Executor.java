package dev.datachecksums.operator.act;

import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one decision out. Each act may be repeated: the operator may die before, during or after any call, and the
 * next reconcile finds its way from what it observes.
 */
public final class Executor {

    private static final Logger LOG = LoggerFactory.getLogger(Executor.class);

    private final Resources resources;
    private final OfflineActs offline;
    private final OnlineActs online;

    /** With what it acts through. */
    public Executor(Resources resources, OfflineActs offline, OnlineActs online) {
        this.resources = resources;
        this.offline = offline;
        this.online = online;
    }

    /** Carries out the verdict's decision; never throws for what the world refuses. */
    public Outcome execute(Observation o, Verdict v) {
        Outcome unchanged = Outcome.unchanged(o);
        if (!v.acts()) {
            return unchanged;
        }
        LOG.atInfo()
                .addKeyValue("decision", v.decision().getClass().getSimpleName())
                .addKeyValue("phase", v.phase())
                .addKeyValue("reason", v.reason())
                .log(v.message());
        try {
            return carryOut(o, v.decision(), unchanged);
        } catch (ServerException e) {
            return unchanged.problem(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            return unchanged.problem("the Kubernetes API answered "
                    + (e.getCode() <= 0 ? "nothing" : "HTTP " + e.getCode()) + " to what was to be done");
        }
    }

    private Outcome carryOut(Observation o, Decision d, Outcome out) throws ServerException {
        if (d instanceof Decision.BeginOffline begin) {
            return restorable(o, out).conversion(begin.conversion()).again();
        }
        if (d instanceof Decision.AdoptRemains adopt) {
            return restorable(o, out).conversion(adopt.conversion()).again();
        }
        if (d instanceof Decision.GiveUp up) {
            offline.dropSession(o);
            return out.conversion(up.conversion().givenUp(up.reason() + ": " + up.message()))
                    .again();
        }
        if (d instanceof Decision.EndTry end) {
            offline.forget(o, end.conversion());
            return out.conversion(null).attempts(end.attempts()).again();
        }
        if (d instanceof Decision.Complete done) {
            offline.forget(o, done.conversion());
            return out.conversion(null).attempts(null).last(done.result()).again();
        }
        if (d instanceof Decision.RemoveFinalizer) {
            resources.removeFinalizer(o.resource());
            return out.again();
        }
        return OnlineActs.knows(d) ? online.carryOut(o, d, out) : offline.carryOut(o, d, out);
    }

    /** Our finalizer goes on before the status says that something is under way, and long before anything is. */
    private Outcome restorable(Observation o, Outcome out) {
        return o.resource().deleting()
                ? out
                : resources.addFinalizer(o.resource()).map(out::resourceVersion).orElse(out);
    }
}
