@NullMarked
package dev.datachecksums.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
