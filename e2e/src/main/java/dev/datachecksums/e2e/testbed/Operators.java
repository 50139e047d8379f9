package dev.datachecksums.e2e.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the operator that the environment asks for. */
public final class Operators {
    private Operators() {}

    /**
     * An operator that watches the testbed's namespace, not started yet: with {@code DCK_OPERATOR=deployment} the shipped Deployment, with
     * {@code process} a process of this machine; else one in this JVM.
     *
     * @param flags as the command line has them
     * @throws IllegalStateException for another value, or for a Deployment on the embedded testbed
     */
    public static OperatorHandle of(Testbed testbed, String... flags) {
        return of(testbed, false, flags);
    }

    /** The same, but one that can be killed: what would run in this JVM is a process of its own. */
    public static OperatorHandle killable(Testbed testbed, String... flags) {
        return of(testbed, true, flags);
    }

    /**
     * One that can be killed and that comes to the testbed by another way, such as a proxy.
     *
     * @param main its main class
     */
    public static OperatorHandle through(Path kubeconfig, Class<?> main, Testbed testbed, String... flags) {
        if (testbed instanceof EmbeddedTestbed) {
            Shipped.createCrds(testbed.client());
        }
        List<String> all = new ArrayList<>(
                List.of("--watch-namespaces=" + testbed.namespace(), "--metrics-port=0", "--health-port=0"));
        all.addAll(List.of(flags));
        return new ProcessOperator(main, "operator-0", kubeconfig, all);
    }

    /**
     * One of several at the same time: a process of its own, whose calls {@link EmbeddedTestbed#access} knows by its name.
     *
     * @param name of its pod and user
     */
    public static OperatorHandle replica(EmbeddedTestbed testbed, String name, String... flags) {
        Shipped.createCrds(testbed.client());
        List<String> all = new ArrayList<>(
                List.of("--watch-namespaces=" + testbed.namespace(), "--metrics-port=0", "--health-port=0"));
        all.addAll(List.of(flags));
        return new ProcessOperator(name, testbed.operatorKubeconfig(name), all);
    }

    /** The Deployment, with as many replicas. */
    public static DeploymentOperator deployment(ClusterTestbed testbed, int replicas, String... flags) {
        List<String> all = new ArrayList<>(List.of("--watch-namespaces=" + testbed.namespace()));
        all.addAll(List.of(flags));
        return new DeploymentOperator(testbed, replicas, all);
    }

    /** Makes the custom resource known, for an operator that is started in another way. */
    public static void createCrds(Testbed testbed) {
        Shipped.createCrds(testbed.client());
    }

    private static OperatorHandle of(Testbed testbed, boolean killable, String... flags) {
        if (testbed instanceof EmbeddedTestbed) {
            Shipped.createCrds(testbed.client());
        }
        String wanted = System.getenv().getOrDefault("DCK_OPERATOR", killable ? "process" : "jvm");
        List<String> all = new ArrayList<>(List.of("--watch-namespaces=" + testbed.namespace()));
        all.addAll(List.of(flags));
        if (wanted.equals("deployment") && testbed instanceof ClusterTestbed cluster) {
            return new DeploymentOperator(cluster, 1, all);
        }
        // Free ports: others of this machine may be taken.
        all.addAll(List.of("--metrics-port=0", "--health-port=0"));
        return switch (wanted) {
            case "process" -> new ProcessOperator("operator-0", testbed.operatorKubeconfig(), all);
            case "jvm" ->
                killable
                        ? new ProcessOperator("operator-0", testbed.operatorKubeconfig(), all)
                        : new LocalOperator(testbed, all);
            default ->
                throw new IllegalStateException(
                        "DCK_OPERATOR is '" + wanted + "': give jvm, process or, on a cluster, deployment");
        };
    }
}
