/**
 * Faults, injected at every call by which a conversion changes something: between the operator and the API server, between the operator and
 * the database, and in the Job's script. The calls are not listed by hand: they are recorded as they pass.
 */
@NullMarked
package dev.datachecksums.e2e.faults;

import org.jspecify.annotations.NullMarked;
