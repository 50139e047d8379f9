package dev.datachecksums.operator.instance;

import java.util.Optional;

/** A kind of workload of apps/v1: how it is read. What is done to its pods is the same for all kinds. */
interface WorkloadKind {

    /** As it stands in {@code instanceRef.kind}. */
    String kind();

    /** The workload of that name as it is now; empty if there is none. */
    Optional<Workload> find(Calls calls, String name);
}
