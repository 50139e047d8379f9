/** The operator with a real server that can convert while it serves: only where DATACHECKSUMS_ONLINE_PGBIN names one. */
@NullMarked
package dev.datachecksums.e2e.online;

import org.jspecify.annotations.NullMarked;
