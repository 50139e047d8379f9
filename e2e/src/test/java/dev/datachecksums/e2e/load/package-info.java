@NullMarked
package dev.datachecksums.e2e.load;

import org.jspecify.annotations.NullMarked;
