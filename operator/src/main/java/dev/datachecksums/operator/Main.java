package dev.datachecksums.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.OperatorException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process. */
public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int USAGE = 2;

    private Main() {}

    private static Throwable rootCause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Runs until it is told to stop; exit status 2 for flags that cannot be read. */
    public static void main(String[] args) {
        Options options;
        try {
            options = Options.parse(List.of(args), System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println("datachecksums-operator: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        options.logFormat().apply();
        KubernetesClient client = new KubernetesClientBuilder().build();
        OperatorApp app;
        try {
            app = OperatorApp.start(client, options);
        } catch (IllegalArgumentException e) {
            System.err.println("datachecksums-operator: " + e.getMessage());
            System.exit(USAGE);
            return;
        } catch (OperatorException e) {
            LOG.error(
                    "cannot start against {}: {}; is the API server up, are the CRD and the Roles installed?",
                    client.getMasterUrl(),
                    rootCause(e).toString());
            System.exit(1);
            return;
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            LOG.info("told to stop");
                            app.close();
                            client.close();
                        },
                        "stop"));
        LOG.info("running; metrics on port {}, health on port {}", app.metricsPort(), app.healthPort());
    }
}
