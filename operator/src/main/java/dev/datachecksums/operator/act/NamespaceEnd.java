package dev.datachecksums.operator.act;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.instance.InstanceDriver;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.Interlock;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespace that is deleted is the operator's own: nobody will be there to take our finalizers off, and any of them would keep the
 * namespace for ever. So an operator that is told to stop looks whether that is why, and takes them off on its way out. No server can
 * start there any more, and the Jobs lift as they end, so nothing is risked by it.
 *
 * <p>It works where the pods of a namespace are removed before all else, which is so from Kubernetes 1.33 on. Before, the Role may be gone
 * by then.
 */
public final class NamespaceEnd {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceEnd.class);

    private final KubernetesClient client;
    private final InstanceDriver driver;
    private final Resources resources;
    private final String namespace;

    /** For the namespace that the operator is in. */
    NamespaceEnd(KubernetesClient client, InstanceDriver driver, String namespace) {
        this.client = ApiProblem.bounded(client);
        this.driver = driver;
        this.resources = new Resources(this.client);
        this.namespace = namespace;
    }

    /**
     * Lets go of what is ours in the operator's own namespace, if that is being deleted. Throws nothing.
     *
     * @param watched the namespaces that it looks after; empty: all
     */
    public static void letGo(KubernetesClient client, Set<String> watched) {
        String own = client.getNamespace();
        if (own != null && (watched.isEmpty() || watched.contains(own))) {
            WorkloadDriver driver = new WorkloadDriver(client, JobNames.RESOURCE_UID, Interlock::refusesIn);
            new NamespaceEnd(client, driver, own).letGo();
        }
    }

    void letGo() {
        try {
            if (!goes()) {
                return;
            }
            LOG.warn(
                    "the namespace {} is being deleted, and this operator with it: what is held there is let go",
                    namespace);
            // Pods first: all else may wait for them.
            of(client.pods().inNamespace(namespace).list().getItems(), InstanceDriver.HOLD)
                    .forEach(p -> driver.release(namespace, p.getName(), p.getUid()));
            of(
                            client.resources(DataChecksums.class)
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems(),
                            Observation.FINALIZER)
                    .forEach(d -> resources.removeFinalizer(namespace, d.getName(), d.getUid()));
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "the finalizers {} and {} in namespace {} could not all be removed: HTTP {}",
                    InstanceDriver.HOLD,
                    Observation.FINALIZER,
                    namespace,
                    e.getCode());
        }
    }

    /** Without a right to see the namespace itself: nothing can be made in one that is being deleted, and a dry run makes nothing. */
    private boolean goes() {
        try {
            client.v1()
                    .events()
                    .inNamespace(namespace)
                    .resource(new EventBuilder()
                            .withNewMetadata()
                            .withGenerateName("datachecksums-operator-")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withType("Normal")
                            .withReason("Stopping")
                            .withNewInvolvedObject()
                            .withKind("Namespace")
                            .withNamespace(namespace)
                            .withName(namespace)
                            .endInvolvedObject()
                            .build())
                    .dryRun(true)
                    .create();
            return false;
        } catch (KubernetesClientException e) {
            return ApiProblem.namespaceGoes(e);
        }
    }

    private static List<ObjectMeta> of(List<? extends HasMetadata> objects, String finalizer) {
        return objects.stream()
                .map(HasMetadata::getMetadata)
                .filter(m -> m.getFinalizers().contains(finalizer))
                .toList();
    }
}
