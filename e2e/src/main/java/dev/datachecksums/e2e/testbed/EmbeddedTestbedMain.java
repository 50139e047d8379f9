package dev.datachecksums.e2e.testbed;

import java.util.concurrent.CountDownLatch;

/** An embedded cluster to try things on with kubectl: prints its KUBECONFIG and lasts until it is interrupted. */
public final class EmbeddedTestbedMain {
    private EmbeddedTestbedMain() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        try (EmbeddedTestbed testbed = EmbeddedTestbed.start()) {
            System.out.println("export KUBECONFIG=" + testbed.kubeconfig());
            System.out.println("# mount paths of volumes: " + testbed.mountPath("NAME"));
            new CountDownLatch(1).await();
        }
    }
}
