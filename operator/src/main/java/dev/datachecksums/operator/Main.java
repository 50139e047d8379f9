package dev.datachecksums.operator;

import dev.datachecksums.operator.act.NamespaceEnd;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.OperatorException;
import java.lang.management.ManagementFactory;
import java.security.Security;
import java.util.List;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process. */
public final class Main {

    /** Held, so that its level is not forgotten with it. */
    private static final java.util.logging.Logger DRIVER = java.util.logging.Logger.getLogger("org.postgresql");

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
        // A pod's name leads to another address after each restart: the JVM's default of 30 s would be part of an
        // outage.
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        // What it logs besides is thrown too, and told by us in a status.
        DRIVER.setLevel(Level.OFF);
        KubernetesClient client = OperatorApp.client();
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
                            NamespaceEnd.letGo(client, options.namespaces());
                            client.close();
                        },
                        "stop"));
        LOG.info(
                "running; metrics on port {}, health on port {}; ready {} ms after the start of the JVM",
                app.metricsPort(),
                app.healthPort(),
                ManagementFactory.getRuntimeMXBean().getUptime());
    }
}
