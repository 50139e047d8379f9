package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What carrying out a decision changed of what the status has to remember.
 *
 * @param conversion the conversion under way from now on; null for none
 * @param attempts failed tries from now on; null for none
 * @param last the last conversion that ended well; null for none
 * @param problem why the decision could not be carried out now; it is tried again by the next reconcile
 * @param again whether the next reconcile should follow at once
 */
public record Outcome(
        @Nullable ConversionStatus conversion,
        @Nullable AttemptsStatus attempts,
        @Nullable LastConversion last,
        Optional<String> problem,
        boolean again) {}
