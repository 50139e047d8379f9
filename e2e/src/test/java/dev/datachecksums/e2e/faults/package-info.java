/** Tests of the faults' table: what counts as a change, and a sample of the faults themselves. */
@NullMarked
package dev.datachecksums.e2e.faults;

import org.jspecify.annotations.NullMarked;
