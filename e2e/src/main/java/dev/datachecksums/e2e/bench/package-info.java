/** {@code make bench}: ratios of two things measured in one run; nothing here fails a build. */
@NullMarked
package dev.datachecksums.e2e.bench;

import org.jspecify.annotations.NullMarked;
