package dev.datachecksums.operator.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetsTest {

    private static final Pod POD = Pods.yaml("nodeName: node-1");

    private static PodDisruptionBudget budget(String selector, String status) {
        return Pods.read(
                "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, generation: 2}, spec: {selector: "
                        + selector + "}, status: {" + status + "}}",
                PodDisruptionBudget.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{matchLabels: {app: db}} | true",
                "{matchLabels: {app: other}} | false",
                "{matchLabels: {app: db, tier: x}} | false",
                "{} | true",
                "{matchExpressions: [{key: app, operator: In, values: [x, db]}]} | true",
                "{matchExpressions: [{key: app, operator: NotIn, values: [db]}]} | false",
                "{matchExpressions: [{key: tier, operator: NotIn, values: [db]}]} | true",
                "{matchExpressions: [{key: app, operator: Exists}]} | true",
                "{matchExpressions: [{key: tier, operator: Exists}]} | false",
                "{matchExpressions: [{key: tier, operator: DoesNotExist}]} | true",
                "{matchLabels: {app: db}, matchExpressions: [{key: app, operator: DoesNotExist}]} | false",
                "null | false",
            })
    void selectsAsTheApiServerDoes(String selector, boolean selected) {
        assertThat(Budgets.against(POD, List.of(budget(selector, "disruptionsAllowed: 0"))))
                .hasSize(selected ? 1 : 0);
    }

    @Test
    void allowsWhatItsStatusAllowsUnlessThatIsOld() {
        String all = "{matchLabels: {app: db}}";
        assertThat(Budgets.against(POD, List.of(budget(all, "disruptionsAllowed: 1, observedGeneration: 2"))))
                .isEmpty();
        assertThat(Budgets.against(POD, List.of(budget(all, "disruptionsAllowed: 1, observedGeneration: 1"))))
                .containsExactly("b");
        assertThat(Budgets.against(POD, List.of(budget(all, "")))).containsExactly("b");
    }
}
