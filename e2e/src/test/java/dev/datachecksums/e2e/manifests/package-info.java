/** The manifests that install the operator, and the samples. */
@NullMarked
package dev.datachecksums.e2e.manifests;

import org.jspecify.annotations.NullMarked;
