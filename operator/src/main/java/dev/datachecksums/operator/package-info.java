/** The operator: wiring, settings, the process. */
@NullMarked
package dev.datachecksums.operator;

import org.jspecify.annotations.NullMarked;
