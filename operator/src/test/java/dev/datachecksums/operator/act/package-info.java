@NullMarked
package dev.datachecksums.operator.act;

import org.jspecify.annotations.NullMarked;
