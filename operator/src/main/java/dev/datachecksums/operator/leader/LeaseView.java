package dev.datachecksums.operator.leader;

import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The Lease as it stands.
 *
 * @param holder empty: nobody
 * @param version of the object: another one means that somebody has written it
 * @param acquired since when the holder has it, by the holder's clock; for readers
 * @param transitions how often another one has taken it
 */
record LeaseView(String holder, String version, @Nullable ZonedDateTime acquired, int transitions) {}
