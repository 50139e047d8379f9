/**
 * The product's promises, each on a whole cluster: embedded, or real. Tagged {@code embedded} or {@code cluster} where only one of the two
 * can show it, and {@code twice} where both can and the real one adds nothing to what the embedded one and its contract tests say;
 * {@code long} is what takes minutes on a cluster.
 */
@NullMarked
package dev.datachecksums.e2e.scenario;

import org.jspecify.annotations.NullMarked;
