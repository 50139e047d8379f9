package dev.datachecksums.operator.offline;

import dev.datachecksums.operator.observe.ApiProblem;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Creates, lists and deletes our Jobs. What the API server does not answer or refuses is thrown as
 * KubernetesClientException.
 */
public final class JobGateway implements JobSource {

    private final KubernetesClient client;

    /** How a creation ended. */
    public enum Created {
        /** It was made now. */
        NEW,
        /** It was there already, and is the one of this resource. */
        EXISTS,
        /** Something else has its name. */
        NAME_TAKEN
    }

    /** Uses the client, with a time-out on every call. */
    public JobGateway(KubernetesClient client) {
        this.client = ApiProblem.bounded(client);
    }

    /** Creates the Job; may be repeated. */
    public Created create(Job job) {
        String namespace = job.getMetadata().getNamespace();
        try {
            client.batch().v1().jobs().inNamespace(namespace).resource(job).create();
            return Created.NEW;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
        Job there = client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job.getMetadata().getName())
                .get();
        // Gone again in between: the next reconcile will see that there is none, and make it.
        return there == null || same(there, job) ? Created.EXISTS : Created.NAME_TAKEN;
    }

    private static boolean same(Job there, Job wanted) {
        return Objects.equals(label(there, JobNames.RESOURCE_UID), label(wanted, JobNames.RESOURCE_UID))
                && Objects.equals(label(there, JobNames.ROLE), label(wanted, JobNames.ROLE));
    }

    /**
     * Deletes the Job; its pod gets SIGTERM, lifts within its own grace, and is seen until it has gone. No effect if there
     * is no such Job.
     */
    public void delete(String namespace, String name) {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    @Override
    public List<Job> jobs(String namespace, String resourceUid) {
        return client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabel(JobNames.RESOURCE_UID, resourceUid)
                .list()
                .getItems();
    }

    @Override
    public List<Pod> pods(String namespace, String resourceUid) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel(JobNames.RESOURCE_UID, resourceUid)
                .list()
                .getItems();
    }

    /** The events about an object, in no order. */
    List<Event> events(String namespace, String uid) {
        return client.v1()
                .events()
                .inNamespace(namespace)
                .withField("involvedObject.uid", uid)
                .list()
                .getItems();
    }

    static String label(HasMetadata object, String label) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(label, "");
    }
}
