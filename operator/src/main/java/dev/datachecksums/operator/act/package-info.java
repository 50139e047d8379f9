/** Acting: carries one decision out, idempotently. */
@NullMarked
package dev.datachecksums.operator.act;

import org.jspecify.annotations.NullMarked;
