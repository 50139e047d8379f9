/** The reconciler: observe, decide, act, report. */
@NullMarked
package dev.datachecksums.operator.reconcile;

import org.jspecify.annotations.NullMarked;
