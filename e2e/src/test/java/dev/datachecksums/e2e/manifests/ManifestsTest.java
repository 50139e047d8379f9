package dev.datachecksums.e2e.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of the base name one another rightly, and ask for no more than they need. */
class ManifestsTest {
    private final List<HasMetadata> base = Manifests.base();
    private final Deployment deployment = Manifests.only(base, Deployment.class);
    private final PodSpec pod = deployment.getSpec().getTemplate().getSpec();
    private final Container operator = pod.getContainers().get(0);

    @Test
    void everyFileIsPartOfTheBase() {
        String kustomization = Manifests.text("base/kustomization.yaml");
        assertThat(Manifests.FOLDER.resolve("base").toFile().list())
                .filteredOn(file -> !file.equals("kustomization.yaml"))
                .allSatisfy(file -> assertThat(kustomization).contains("  - " + file + "\n"));
        assertThat(kustomization).contains("  - ../crds\n");
    }

    @Test
    void rolesAreBoundToTheAccountThatThePodHas() {
        String account =
                Manifests.only(base, ServiceAccount.class).getMetadata().getName();
        assertThat(pod.getServiceAccountName()).isEqualTo(account);

        ClusterRoleBinding everywhere = Manifests.only(base, ClusterRoleBinding.class);
        assertThat(everywhere.getRoleRef().getName())
                .isEqualTo(Manifests.only(base, ClusterRole.class).getMetadata().getName());
        assertThat(everywhere.getSubjects()).singleElement().satisfies(subject -> {
            assertThat(subject.getName()).isEqualTo(account);
            assertThat(Manifests.text("base/kustomization.yaml"))
                    .contains("namespace: " + subject.getNamespace() + "\n");
        });
    }

    @Test
    void theRoleOfTheLeaseIsBoundToTheSameAccount() {
        RoleBinding here = Manifests.only(base, RoleBinding.class);
        assertThat(here.getRoleRef().getName())
                .isEqualTo(Manifests.only(base, Role.class).getMetadata().getName());
        assertThat(here.getSubjects())
                .isEqualTo(Manifests.only(base, ClusterRoleBinding.class).getSubjects());
    }

    /** One acts and one is ready to: neither a drain nor a new version leaves a server without its operator. */
    @Test
    void oneReplicaIsAlwaysThere() {
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(2);
        assertThat(deployment
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxUnavailable()
                        .getIntVal())
                .isZero();
        PodDisruptionBudget budget = Manifests.only(base, PodDisruptionBudget.class);
        assertThat(budget.getSpec().getMinAvailable().getIntVal()).isEqualTo(1);
        assertThat(budget.getSpec().getSelector().getMatchLabels())
                .isEqualTo(deployment.getSpec().getSelector().getMatchLabels());
    }

    @Test
    void nothingIsGrantedThatTheOperatorMustNeverDo() {
        List<PolicyRule> rules = Manifests.only(base, ClusterRole.class).getRules();
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.getVerbs())
                    .isSubsetOf("get", "list", "watch", "create", "update", "patch", "delete")
                    .doesNotHaveDuplicates();
            assertThat(rule.getApiGroups()).doesNotContain("*");
            assertThat(rule.getResources())
                    .doesNotContain("*", "pods/exec", "pods/attach", "pods/eviction", "statefulsets/scale", "nodes");
            if (rule.getResources().contains("secrets") || rule.getResources().contains("statefulsets")) {
                assertThat(rule.getVerbs()).containsExactly("get");
            }
        });
    }

    @Test
    void thePodIsUnprivileged() {
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getContainers()).hasSize(1);
        assertThat(operator.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(operator.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(operator.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(operator.getVolumeMounts())
                .singleElement()
                .satisfies(mount -> assertThat(mount.getMountPath()).isEqualTo("/tmp"));
        assertThat(operator.getResources().getRequests()).containsKeys("cpu", "memory");
        assertThat(operator.getResources().getLimits()).containsKey("memory");
        assertThat(Manifests.only(base, PriorityClass.class).getMetadata().getName())
                .isEqualTo(pod.getPriorityClassName());
    }

    @Test
    void probesAndServiceNamePortsThatThereAre() {
        Set<String> ports = Set.copyOf(
                operator.getPorts().stream().map(port -> port.getName()).toList());
        assertThat(Stream.of(operator.getStartupProbe(), operator.getLivenessProbe(), operator.getReadinessProbe())
                        .map(Probe::getHttpGet)
                        .map(HTTPGetAction::getPort)
                        .map(port -> port.getStrVal()))
                .allSatisfy(port -> assertThat(ports).contains(port));
        Service metrics = Manifests.only(base, Service.class);
        assertThat(ports)
                .contains(metrics.getSpec().getPorts().get(0).getTargetPort().getStrVal());
        Map<String, String> labels =
                deployment.getSpec().getTemplate().getMetadata().getLabels();
        assertThat(labels).containsAllEntriesOf(metrics.getSpec().getSelector());
        assertThat(labels)
                .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels());
    }

    @Test
    void theImageIsTheOneThatThisVersionBuilds() {
        assertThat(operator.getImage()).isEqualTo("datachecksums/operator");
        assertThat(Manifests.text("base/kustomization.yaml"))
                .contains("  - name: datachecksums/operator\n    newTag: " + Manifests.version() + "\n");
    }
}
