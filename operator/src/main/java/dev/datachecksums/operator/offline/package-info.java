/** The offline road: the Job, its script, its log. */
@NullMarked
package dev.datachecksums.operator.offline;

import org.jspecify.annotations.NullMarked;
