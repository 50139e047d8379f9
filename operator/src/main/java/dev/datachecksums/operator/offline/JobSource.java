package dev.datachecksums.operator.offline;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** Where our Jobs and their pods are seen: the API server, or a cache that follows it. Selected by our labels. */
public interface JobSource {

    /** The Jobs of a resource. */
    List<Job> jobs(String namespace, String resourceUid);

    /** The pods of the Jobs of a resource, also of Jobs that have gone. */
    List<Pod> pods(String namespace, String resourceUid);
}
