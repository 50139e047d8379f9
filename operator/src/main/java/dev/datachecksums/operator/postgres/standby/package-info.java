/** What a server says that matters only to a copy of it that is run as a standby. */
@NullMarked
package dev.datachecksums.operator.postgres.standby;

import org.jspecify.annotations.NullMarked;
