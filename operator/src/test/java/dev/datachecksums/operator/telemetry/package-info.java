@NullMarked
package dev.datachecksums.operator.telemetry;

import org.jspecify.annotations.NullMarked;
