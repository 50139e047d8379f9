package dev.datachecksums.e2e.faults;

/** Where what changes something is seen passing. */
enum Seam {
    /** Requests of the operator to the API server. */
    API,
    /** Statements of the operator to the database. */
    SQL,
    /** Programs that the Job's script runs. */
    SCRIPT
}
