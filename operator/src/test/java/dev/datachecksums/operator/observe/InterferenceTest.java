package dev.datachecksums.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Workloads;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What others did to the workload while a conversion has it stopped. */
class InterferenceTest {

    @Test
    void theSamePodIsNoneAndNeitherIsTheNextOneOfTheSameTemplate() {
        assertThat(seen("r1", w -> w.revision("r1"))).isEmpty();
        assertThat(seen("r1", w -> w.uid("next").notReady().revision("r1"))).isEmpty();
    }

    @Test
    void aTemplateThatWaitsForItsPodIsARollout() {
        assertThat(seen("r1", w -> w.revision("r1").pendingRollout("pod has r1")))
                .containsExactly("RolloutMeanwhile");
    }

    /** With no pod there the controller makes the next one from the new template: nothing was ever pending. */
    @Test
    void aPodThatCameBackWithAnotherTemplateIsARollout() {
        assertThat(seen("r1", w -> w.uid("next").crashing().revision("r2")))
                .containsExactly("RolloutMeanwhile", "PodMadeMeanwhile");
    }

    @Test
    void aRevisionThatNobodyToldIsNone() {
        assertThat(seen(null, w -> w.revision("r2"))).isEmpty();
        assertThat(seen("r1", w -> {})).isEmpty();
    }

    /** The work is short, and the next pod is made while it goes on. */
    @Test
    void theNextPodOfOneThatIsNotHeldIsNone() {
        assertThat(seen("r1", true, w -> w.uid("next").crashing().revision("r1")))
                .isEmpty();
    }

    /** Until its containers have ended the pod that was stopped is beside the next one. */
    @Test
    void thePodThatWasStoppedIsNoStrangerOnItsVolume() {
        assertThat(seen("r1", w -> w.named("next").uid("next").otherPods("orders-db-0")))
                .isEmpty();
        assertThat(seen("r1", w -> w.named("next").uid("next").otherPods("orders-db-0", "copier")))
                .containsExactly("OtherPodOnVolume");
    }

    private static List<String> seen(@Nullable String before, Consumer<Workloads> now) {
        return seen(before, false, now);
    }

    private static List<String> seen(@Nullable String before, boolean replaced, Consumer<Workloads> now) {
        return Interference.of(
                        Observations.stopped()
                                .conversion(Observations.conversion(DesiredState.ENABLED, Observations.NOW, null)
                                        .ofRevision(before))
                                .workload(now)
                                .build(),
                        replaced)
                .stream()
                .map(Interference::reason)
                .toList();
    }
}
