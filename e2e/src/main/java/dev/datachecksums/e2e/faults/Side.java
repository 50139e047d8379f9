package dev.datachecksums.e2e.faults;

/** Before it is done, or when it is done and whoever asked for it does not know yet. */
enum Side {
    BEFORE,
    AFTER
}
