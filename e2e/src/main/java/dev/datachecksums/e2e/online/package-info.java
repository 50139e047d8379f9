/** A real server that can convert while it serves, with an operator beside it: for tests and the bench. */
@NullMarked
package dev.datachecksums.e2e.online;

import org.jspecify.annotations.NullMarked;
