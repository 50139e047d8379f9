/** Writes what is made from the API types and committed: the CustomResourceDefinition and its reference page. */
@NullMarked
package dev.datachecksums.api.crd;

import org.jspecify.annotations.NullMarked;
