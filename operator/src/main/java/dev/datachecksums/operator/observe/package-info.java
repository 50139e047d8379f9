/** Observing: one immutable {@code Observation} of the declaration, the server, the workload and the Job. */
@NullMarked
package dev.datachecksums.operator.observe;

import org.jspecify.annotations.NullMarked;
