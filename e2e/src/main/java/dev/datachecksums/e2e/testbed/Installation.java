package dev.datachecksums.e2e.testbed;

import dev.datachecksums.e2e.testbed.api.Access.Right;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What {@code manifests/base} installs, in a testbed's own namespace and under names of its own, so that several do not meet: the CRD, the
 * ServiceAccount, the ClusterRole with exactly its verbs, and a kubeconfig with that account's token.
 */
final class Installation implements AutoCloseable {
    static final String ACCOUNT = "datachecksums-operator";

    private static final long TOKEN_SECONDS = 7200;

    private final KubernetesClient client;
    private final String namespace;
    private final String role;
    private final List<HasMetadata> base;
    private final Set<Right> denied = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    private final Path kubeconfig;

    static Installation of(KubernetesClient client, String namespace) {
        try {
            return new Installation(client, namespace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Installation(KubernetesClient client, String namespace) throws IOException {
        this.client = client;
        this.namespace = namespace;
        this.role = ACCOUNT + "-" + namespace;
        this.base = Shipped.base();
        Shipped.applyCrds(client);
        only(PriorityClass.class)
                .forEach(p -> client.resource(p).forceConflicts().serverSideApply());
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(ACCOUNT)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        applyRole();
        // What it may do in its own namespace only: the Lease.
        Stream.concat(only(Role.class), only(RoleBinding.class)).forEach(r -> {
            r.getMetadata().setNamespace(namespace);
            if (r instanceof RoleBinding binding) {
                binding.getSubjects().forEach(s -> s.setNamespace(namespace));
            }
            client.resource(r).forceConflicts().serverSideApply();
        });
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .withNewRoleRef()
                        .withApiGroup("rbac.authorization.k8s.io")
                        .withKind("ClusterRole")
                        .withName(role)
                        .endRoleRef()
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(ACCOUNT)
                        .withNamespace(namespace)
                        .endSubject()
                        .build())
                .create();
        this.kubeconfig = writeKubeconfig();
    }

    private <T extends HasMetadata> Stream<T> only(Class<T> kind) {
        return base.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** The shipped Deployment, as it is in the base. */
    Deployment deployment() {
        return only(Deployment.class).findFirst().orElseThrow();
    }

    /** The pods of a Deployment of ours. */
    List<Pod> pods() {
        return client.pods()
                .inNamespace(namespace)
                .withLabels(deployment().getSpec().getSelector().getMatchLabels())
                .list()
                .getItems();
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    void deny(String verb, String resource) {
        denied.add(new Right(verb, resource));
        applyRole();
    }

    void allow(String verb, String resource) {
        denied.remove(new Right(verb, resource));
        applyRole();
    }

    private void applyRole() {
        List<PolicyRule> rules = only(ClusterRole.class)
                .flatMap(r -> r.getRules().stream())
                .flatMap(this::single)
                .toList();
        client.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private Stream<PolicyRule> single(PolicyRule rule) {
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream().map(resource -> {
                    String qualified = group.isEmpty() ? resource : resource + "." + group;
                    Predicate<String> allowed = verb -> !denied.contains(new Right(verb, qualified));
                    return new PolicyRuleBuilder()
                            .withApiGroups(group)
                            .withResources(resource)
                            .withVerbs(rule.getVerbs().stream().filter(allowed).toList())
                            .build();
                }))
                .filter(r -> !r.getVerbs().isEmpty());
    }

    private Path writeKubeconfig() throws IOException {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(ACCOUNT)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(TOKEN_SECONDS)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        String text =
                """
                apiVersion: v1
                kind: Config
                current-context: operator
                clusters:
                - name: cluster
                  cluster: {server: "%s", certificate-authority-data: "%s"}
                users:
                - name: operator
                  user: {token: "%s"}
                contexts:
                - name: operator
                  context: {cluster: cluster, user: operator, namespace: "%s"}
                """.formatted(client.getMasterUrl(), client.getConfiguration().getCaCertData(), token, namespace);
        return Files.writeString(Files.createTempFile("dck-operator-", ".kubeconfig"), text);
    }

    @Override
    public void close() {
        Collection<HasMetadata> ours = List.of(
                new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .build(),
                new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .build());
        ours.forEach(o -> client.resource(o).delete());
        try {
            Files.deleteIfExists(kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
