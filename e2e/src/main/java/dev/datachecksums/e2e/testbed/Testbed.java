package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * A cluster with a namespace of its own. The same scenarios run on every implementation: they speak to the Kubernetes API and to PostgreSQL,
 * and to the testbed only for what no API offers. Closing it removes all that it made.
 */
public interface Testbed extends AutoCloseable {

    /** A client that may do everything, in {@link #namespace()}. */
    KubernetesClient client();

    /** What the operator is to use: a client of its own, from which a scenario can take rights. Closed by the caller. */
    KubernetesClient operatorClient();

    /** The same rights for an operator that is a process of its own. */
    Path operatorKubeconfig();

    /**
     * Takes a verb from the operator until {@link #allow}.
     *
     * @param resource qualified, with the subresource, such as {@code secrets}, {@code jobs.batch}, {@code pods/log}
     */
    void deny(String verb, String resource);

    void allow(String verb, String resource);

    /** For kubectl; its context has {@link #namespace()}. */
    Path kubeconfig();

    String namespace();

    /** What this testbed can run: the image name of a major version, such as {@code postgres:15}. */
    String image(int major);

    /** The newest major version that it can run and that every feature is tried with. */
    int defaultMajor();

    /** A directory that can be a volume's mount path in a pod. */
    String mountPath(String name);

    /**
     * Creates the StatefulSet of one with its Service, Secret and claim, and returns at once.
     *
     * @param shape makes another pod of the usual one: of the StatefulSet before it is created
     */
    default PostgresInstance create(PostgresSpec spec, UnaryOperator<StatefulSet> shape) {
        return Instances.create(this, spec, shape);
    }

    /**
     * The same server as a Deployment of one, with the strategy Recreate.
     *
     * @param shape makes another of the usual one, before it is created
     */
    default PostgresInstance createDeployment(PostgresSpec spec, UnaryOperator<Deployment> shape) {
        return Instances.createDeployment(this, spec, shape);
    }

    /** The usual pod. */
    default PostgresInstance create(PostgresSpec spec) {
        return create(spec, UnaryOperator.identity());
    }

    /** {@link #create} and wait until it takes connections. */
    default PostgresInstance createReady(PostgresSpec spec) {
        return create(spec).awaitReady();
    }

    /** Where the files of the server's claim are on this machine: the root of the volume. */
    Path volume(PostgresInstance server);

    /** Removes a pod's object at once, with its processes following: what {@code kubectl delete --force --grace-period=0} does. */
    void forceDelete(String pod);

    /**
     * SIGKILL to the first process of a container, and so to all of it: what the kernel's memory killer does.
     *
     * @throws IllegalStateException if it does not run
     */
    void killContainer(String pod, String container);

    /** What a person would look at: objects, events and logs of the namespace. */
    String dump();

    @Override
    void close();
}
