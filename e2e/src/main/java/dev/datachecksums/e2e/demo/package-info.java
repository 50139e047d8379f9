/** {@code make demo}: a person watches a real PostgreSQL go from checksums off to on because a resource says so. */
@NullMarked
package dev.datachecksums.e2e.demo;

import org.jspecify.annotations.NullMarked;
