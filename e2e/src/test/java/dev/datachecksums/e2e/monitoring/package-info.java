/** What Prometheus and a person on call see. */
@NullMarked
package dev.datachecksums.e2e.monitoring;

import org.jspecify.annotations.NullMarked;
