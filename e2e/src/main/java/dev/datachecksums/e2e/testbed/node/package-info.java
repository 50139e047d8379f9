/**
 * Stand-ins for what brings a cluster to life: the controllers of stateful sets, jobs and claims, and a kubelet whose containers are local
 * processes. A mount path is a path of this machine.
 */
@NullMarked
package dev.datachecksums.e2e.testbed.node;

import org.jspecify.annotations.NullMarked;
