package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Map;

/**
 * PodDisruptionBudgets over a pod. A delete does not ask them, so they have to be respected here. One that allows nothing
 * because it wants one of one pod counts too: its owner has said that this pod may not be disturbed without a word. Pure.
 */
final class Budgets {

    private Budgets() {}

    /** Names of the budgets that allow no disruption of the pod now, sorted. */
    static List<String> against(Pod pod, List<PodDisruptionBudget> all) {
        return all.stream()
                .filter(b -> b.getSpec() != null && selects(b.getSpec().getSelector(), pod))
                .filter(Budgets::allowsNothing)
                .map(b -> b.getMetadata().getName())
                .sorted()
                .toList();
    }

    /** A budget whose newest change was not reckoned yet allows nothing; the eviction API judges the same. */
    private static boolean allowsNothing(PodDisruptionBudget budget) {
        if (budget.getStatus() == null || budget.getStatus().getDisruptionsAllowed() == null) {
            return true;
        }
        Long observed = budget.getStatus().getObservedGeneration();
        Long generation = budget.getMetadata().getGeneration();
        return budget.getStatus().getDisruptionsAllowed() <= 0
                || (observed != null && generation != null && observed < generation);
    }

    /** In policy/v1 an empty selector selects every pod of the namespace, and none selects none. */
    private static boolean selects(LabelSelector selector, Pod pod) {
        if (selector == null) {
            return false;
        }
        Map<String, String> labels = pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
        boolean exact = selector.getMatchLabels() == null
                || labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
        return exact
                && (selector.getMatchExpressions() == null
                        || selector.getMatchExpressions().stream().allMatch(e -> matches(e, labels)));
    }

    private static boolean matches(LabelSelectorRequirement wanted, Map<String, String> labels) {
        String value = labels.get(wanted.getKey());
        return switch (wanted.getOperator()) {
            case "In" -> value != null && wanted.getValues().contains(value);
            case "NotIn" -> value == null || !wanted.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            // an operator of the future: better a finding too many
            default -> true;
        };
    }
}
