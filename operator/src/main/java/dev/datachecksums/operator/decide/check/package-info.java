/** The gate's checks, one class each, and the order in which they are asked. */
@NullMarked
package dev.datachecksums.operator.decide.check;

import org.jspecify.annotations.NullMarked;
