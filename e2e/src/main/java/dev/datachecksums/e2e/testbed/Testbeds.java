package dev.datachecksums.e2e.testbed;

/** Opens the testbed that the environment asks for. */
public final class Testbeds {
    private Testbeds() {}

    /**
     * The embedded one, or, with {@code DCK_TESTBED=cluster}, the cluster of {@code KUBECONFIG}.
     *
     * @throws IllegalStateException for another value, or if there is no KUBECONFIG
     */
    public static Testbed open() {
        String wanted = System.getenv().getOrDefault("DCK_TESTBED", "embedded");
        return switch (wanted) {
            case "embedded" -> EmbeddedTestbed.start();
            case "cluster" -> ClusterTestbed.open();
            default -> throw new IllegalStateException("DCK_TESTBED is '" + wanted + "': give embedded or cluster");
        };
    }

    public static boolean onCluster() {
        return System.getenv().getOrDefault("DCK_TESTBED", "embedded").equals("cluster");
    }
}
