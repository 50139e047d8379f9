package dev.datachecksums.e2e.faults;

import dev.datachecksums.api.v1alpha1.DesiredState;

/** What goes on when a fault strikes. */
enum Road {
    /** From off to on. */
    ON("off", DesiredState.ENABLED),
    /** From on to off. */
    OFF("on", DesiredState.DISABLED),
    /** On the way to on, before the first page is written, the declaration is changed back. */
    CANCELLED("off", DesiredState.DISABLED),
    /** At the same place the Job is killed: the try fails, and the next one succeeds. */
    JOB_LOST("off", DesiredState.ENABLED),
    /** At the same place the resource is deleted. */
    DELETED("off", DesiredState.DISABLED);

    /** What the server must say at the beginning. */
    final String from;

    /** What it must say at the end. */
    final DesiredState to;

    Road(String from, DesiredState to) {
        this.from = from;
        this.to = to;
    }

    boolean interrupted() {
        return this != ON && this != OFF;
    }

    /** In the server's words. */
    String end() {
        return to == DesiredState.ENABLED ? "on" : "off";
    }
}
