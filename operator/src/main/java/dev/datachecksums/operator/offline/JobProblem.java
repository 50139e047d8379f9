package dev.datachecksums.operator.offline;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reasons that the Job's script gives for what it does not do. */
public final class JobProblem {

    /** Refusals that concern the copy alone: in place the same server and volume can be converted. */
    private static final Set<String> OF_THE_COPY =
            Set.of("BadPath", "ToolMissing", "AccessMethods", "WalManagers", "ClosedDatabase", "Tablespaces");

    private JobProblem() {}

    /** Whether it was refused because of the copy. */
    public static boolean ofTheCopy(@Nullable String reason) {
        return reason != null && OF_THE_COPY.contains(reason);
    }
}
