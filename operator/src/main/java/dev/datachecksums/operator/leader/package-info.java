/** Which of several operators acts: the holder of a Lease. */
@NullMarked
package dev.datachecksums.operator.leader;

import org.jspecify.annotations.NullMarked;
