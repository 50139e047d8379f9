package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.observe.Observation;
import java.util.List;

/**
 * The gate: ordered chains of checks. What is wrong with the server makes the rest meaningless, so the chain of the
 * server stops at its first no; the chain of a road is asked in full, so that a person sees all that is to be mended.
 *
 * @param server whether there is a server that can be asked, and that is ours to convert
 * @param offline whether it can be stopped, converted and started again
 * @param online whether it can be converted by its own functions while it serves
 * @param standby whether a copy of it can be converted and take its place
 */
public record Gate(List<Check> server, List<Check> offline, List<Check> online, List<Check> standby) {

    /** Copies the chains. */
    public Gate {
        server = List.copyOf(server);
        offline = List.copyOf(offline);
        online = List.copyOf(online);
        standby = List.copyOf(standby);
    }

    /** Without an online road. */
    public Gate(List<Check> server, List<Check> offline) {
        this(server, offline, List.of(), List.of());
    }

    /** The first no of the server's chain, or nothing. */
    public List<Finding> askServer(Observation o) {
        return server.stream()
                .map(c -> c.examine(o))
                .filter(f -> !f.passed())
                .limit(1)
                .toList();
    }

    /** Every no of the offline chain; of every node, so that none is begun with when another cannot be. */
    public List<Finding> askOffline(Observation o) {
        return Nodes.views(o).stream()
                .flatMap(view -> offline.stream().map(c -> c.examine(view)))
                .filter(f -> !f.passed())
                .distinct()
                .toList();
    }

    /** Every no of what a copy needs. */
    public List<Finding> askStandby(Observation o) {
        return standby.stream().map(c -> c.examine(o)).filter(f -> !f.passed()).toList();
    }

    /** Every no of the online chain. */
    public List<Finding> askOnline(Observation o) {
        return online.stream().map(c -> c.examine(o)).filter(f -> !f.passed()).toList();
    }
}
