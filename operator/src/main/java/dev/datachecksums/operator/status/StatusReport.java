package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.BlockerStatus;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.ObservedState;
import dev.datachecksums.api.v1alpha1.PlanStatus;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.api.v1alpha1.ServerStatus;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Nodes;
import dev.datachecksums.operator.decide.Plan;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns what was observed, decided and done into one complete status. Pure. */
public final class StatusReport {

    private StatusReport() {}

    /** The status to write; equal to the last one when nothing that a reader cares about has changed. */
    public static DataChecksumsStatus of(Observation o, Verdict v, Outcome out) {
        DataChecksumsStatus before = o.status();
        Optional<ServerFacts> server = o.server().seen();
        ConversionStatus c = out.conversion();
        return new DataChecksumsStatus(
                o.resource().generation(),
                v.phase(),
                state(o, before),
                convergedState(o, before, c),
                method(v, out),
                server.map(StatusReport::server).orElse(before.server()),
                NodesReport.of(o),
                plan(v, c, before),
                c,
                progress(o, c),
                out.attempts(),
                blockers(v),
                Upgrade.of(o),
                Failures.of(o, before),
                out.last(),
                Summary.conditions(o, v, out));
    }

    private static @Nullable ProgressStatus progress(Observation o, @Nullable ConversionStatus c) {
        if (c == null) {
            return null;
        }
        return switch (c.method()) {
            case ONLINE -> OnlineProgressReport.of(o, c);
            case TEMPORARY_STANDBY -> CopyProgress.of(o, c);
            case IN_PLACE, ROLLING -> Progress.of(o, c);
        };
    }

    private static ObservedState state(Observation o, DataChecksumsStatus before) {
        Optional<ObservedState> said =
                Nodes.several(o) ? NodesReport.state(o) : o.server().seen().map(s -> NodesReport.word(s.checksums()));
        if (said.isPresent()) {
            return said.get();
        }
        // While it is stopped for a conversion, what it said before the stop is not wrong yet; else nobody knows.
        return o.conversion().isPresent() && before.state() != null ? before.state() : ObservedState.UNKNOWN;
    }

    /** Once a conversion has begun, another state than the declared one is no drift. */
    private static @Nullable DesiredState convergedState(
            Observation o, DataChecksumsStatus before, @Nullable ConversionStatus c) {
        return Summary.asDeclared(o) ? o.spec().state() : c == null ? before.convergedState() : null;
    }

    private static @Nullable ConversionMethod method(Verdict v, Outcome out) {
        ConversionStatus c = out.conversion();
        if (c != null) {
            return c.method();
        }
        LastConversion last = out.last();
        return v.plan().map(Plan::method).orElse(last == null ? null : last.method());
    }

    private static ServerStatus server(ServerFacts s) {
        return new ServerStatus(
                s.serverVersion(),
                s.systemIdentifier().value().orElse(null),
                s.serverAddress()
                        .value()
                        .flatMap(a -> s.serverPort().value().map(p -> a + ":" + p))
                        .orElse(null),
                s.dataDirectory().value().orElse(null),
                s.osUser().value().map(u -> u.uid() + ":" + u.gid()).orElse(null));
    }

    private static @Nullable PlanStatus plan(Verdict v, @Nullable ConversionStatus c, DataChecksumsStatus before) {
        return v.plan()
                .map(p -> new PlanStatus(
                        p.method(),
                        p.reason(),
                        p.bytes(),
                        Durations.format(p.work()),
                        Durations.format(p.outage()),
                        p.walBytes(),
                        p.notBefore().map(Times::seconds).orElse(null)))
                .orElse(c == null ? null : before.plan());
    }

    private static @Nullable List<BlockerStatus> blockers(Verdict v) {
        List<BlockerStatus> list = new ArrayList<>();
        for (Finding f : v.findings()) {
            if (f instanceof Finding.Block no) {
                list.add(new BlockerStatus(no.check(), no.message(), no.remedy()));
            } else if (f instanceof Finding.Wait notNow) {
                list.add(new BlockerStatus(notNow.check(), notNow.message(), notNow.remedy()));
            }
        }
        return list.isEmpty() ? null : list;
    }
}
