package dev.datachecksums.e2e.faults;

import java.time.Duration;

/**
 * What came of a fault.
 *
 * @param during what the Job's script had said last when it struck
 * @param struck whether the run came by its point, and there was somebody to strike
 * @param outage the longest time without an acknowledged row
 * @param log what the operator wrote meanwhile
 */
record Result(
        Fault fault, String during, boolean struck, Findings findings, Duration took, Duration outage, String log) {}
