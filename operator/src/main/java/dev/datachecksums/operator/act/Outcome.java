package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.operator.observe.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the status has to remember once a decision was carried out.
 *
 * @param conversion the conversion under way from now on; null for none
 * @param attempts failed tries from now on; null for none
 * @param last the last conversion that ended well; null for none
 * @param problem why the decision could not be carried out now; it is tried again by the next reconcile
 * @param soon whether the next reconcile should follow at once
 * @param resourceVersion of the resource, where the act itself changed it: the status is written upon that
 */
public record Outcome(
        @Nullable ConversionStatus conversion,
        @Nullable AttemptsStatus attempts,
        @Nullable LastConversion last,
        Optional<String> problem,
        boolean soon,
        Optional<String> resourceVersion) {

    /** As it was. */
    public static Outcome unchanged(Observation o) {
        return new Outcome(
                o.status().conversion(),
                o.status().attempts(),
                o.status().lastConversion(),
                Optional.empty(),
                false,
                Optional.empty());
    }

    Outcome conversion(@Nullable ConversionStatus c) {
        return new Outcome(c, attempts, last, problem, soon, resourceVersion);
    }

    Outcome attempts(@Nullable AttemptsStatus a) {
        return new Outcome(conversion, a, last, problem, soon, resourceVersion);
    }

    Outcome last(LastConversion l) {
        return new Outcome(conversion, attempts, l, problem, soon, resourceVersion);
    }

    Outcome problem(String p) {
        return new Outcome(conversion, attempts, last, Optional.of(p), soon, resourceVersion);
    }

    Outcome again() {
        return new Outcome(conversion, attempts, last, problem, true, resourceVersion);
    }

    Outcome resourceVersion(String version) {
        return new Outcome(conversion, attempts, last, problem, soon, Optional.of(version));
    }
}
