/** What a release says about itself. */
@NullMarked
package dev.datachecksums.e2e.release;

import org.jspecify.annotations.NullMarked;
