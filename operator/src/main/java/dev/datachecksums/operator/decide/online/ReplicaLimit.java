package dev.datachecksums.operator.decide.online;

import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** How far behind replicas may fall. */
public final class ReplicaLimit {
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private ReplicaLimit() {}

    /** In bytes; null where it is not looked at, or where it cannot be read. More than a long holds is as much as it holds. */
    public static @Nullable Long bytes(OnlinePolicy policy) {
        String quantity = policy.maxReplicaLag();
        try {
            return quantity == null
                    ? null
                    : Quantity.getAmountInBytes(new Quantity(quantity))
                            .min(MOST)
                            .longValue();
        } catch (IllegalArgumentException | ArithmeticException notAQuantity) {
            return null;
        }
    }
}
