/**
 * A small Kubernetes API in memory, on the JDK's HTTP server: enough of the real one for the operator, its scenarios and kubectl. {@code
 * ApiContractIT} makes the same assertions on it and on a real API server.
 */
@NullMarked
package dev.datachecksums.e2e.testbed.api;

import org.jspecify.annotations.NullMarked;
