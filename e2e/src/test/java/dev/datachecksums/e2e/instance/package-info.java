/** The driver, the Job and its log on a real cluster. */
@NullMarked
package dev.datachecksums.e2e.instance;

import org.jspecify.annotations.NullMarked;
