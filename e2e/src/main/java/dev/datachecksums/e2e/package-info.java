/** Programs that measure, show and break the operator; this package holds what all of them are called with. */
@NullMarked
package dev.datachecksums.e2e;

import org.jspecify.annotations.NullMarked;
