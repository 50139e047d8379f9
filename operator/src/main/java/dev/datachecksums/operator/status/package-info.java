/** Reporting: the only place that writes status. */
@NullMarked
package dev.datachecksums.operator.status;

import org.jspecify.annotations.NullMarked;
