/** Whether this process is alive and ready, by what it really does. */
@NullMarked
package dev.datachecksums.operator.health;

import org.jspecify.annotations.NullMarked;
