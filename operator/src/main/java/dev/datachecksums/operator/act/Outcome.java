package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.AttemptsStatus;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.operator.observe.Observation;
import java.util.List;
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
 * @param notes what was done besides, an event each
 */
public record Outcome(
        @Nullable ConversionStatus conversion,
        @Nullable AttemptsStatus attempts,
        @Nullable LastConversion last,
        Optional<String> problem,
        boolean soon,
        Optional<String> resourceVersion,
        List<Note> notes) {

    /** Something that was done, for an event. */
    public record Note(String reason, String message) {}

    /** Nothing was done besides. */
    public Outcome(
            @Nullable ConversionStatus conversion,
            @Nullable AttemptsStatus attempts,
            @Nullable LastConversion last,
            Optional<String> problem,
            boolean soon,
            Optional<String> resourceVersion) {
        this(conversion, attempts, last, problem, soon, resourceVersion, List.of());
    }

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
        return new Outcome(c, attempts, last, problem, soon, resourceVersion, notes);
    }

    Outcome attempts(@Nullable AttemptsStatus a) {
        return new Outcome(conversion, a, last, problem, soon, resourceVersion, notes);
    }

    Outcome last(LastConversion l) {
        return new Outcome(conversion, attempts, l, problem, soon, resourceVersion, notes);
    }

    Outcome problem(String p) {
        return new Outcome(conversion, attempts, last, Optional.of(p), soon, resourceVersion, notes);
    }

    Outcome again() {
        return new Outcome(conversion, attempts, last, problem, true, resourceVersion, notes);
    }

    Outcome resourceVersion(String version) {
        return new Outcome(conversion, attempts, last, problem, soon, Optional.of(version), notes);
    }

    Outcome notes(List<Note> done) {
        return new Outcome(conversion, attempts, last, problem, soon, resourceVersion, List.copyOf(done));
    }
}
