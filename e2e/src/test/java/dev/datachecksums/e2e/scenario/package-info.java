/** The product's promises, each on a whole cluster: embedded, or real. */
@NullMarked
package dev.datachecksums.e2e.scenario;

import org.jspecify.annotations.NullMarked;
