/** Where scenarios and the demo run: a cluster, embedded or real, behind one interface. */
@NullMarked
package dev.datachecksums.e2e.testbed;

import org.jspecify.annotations.NullMarked;
