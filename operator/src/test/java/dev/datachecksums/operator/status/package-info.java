@NullMarked
package dev.datachecksums.operator.status;

import org.jspecify.annotations.NullMarked;
