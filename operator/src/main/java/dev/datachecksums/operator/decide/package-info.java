/** Deciding: pure functions from an observation to a decision. No I/O and no clock of its own. */
@NullMarked
package dev.datachecksums.operator.decide;

import org.jspecify.annotations.NullMarked;
