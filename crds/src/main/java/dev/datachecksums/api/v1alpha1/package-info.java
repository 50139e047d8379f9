/** The Kubernetes API {@code datachecksums.dev/v1alpha1}: what a user declares, and what the operator reports. */
@NullMarked
package dev.datachecksums.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
