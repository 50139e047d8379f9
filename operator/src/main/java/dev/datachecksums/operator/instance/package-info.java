/** Instances: what runs the server, and how it is held, stopped and started again. */
@NullMarked
package dev.datachecksums.operator.instance;

import org.jspecify.annotations.NullMarked;
