@NullMarked
package dev.datachecksums.e2e.testbed;

import org.jspecify.annotations.NullMarked;
