package dev.datachecksums.e2e.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.load.Pgbench;
import dev.datachecksums.e2e.online.Subject;
import dev.datachecksums.e2e.testbed.ClusterTestbed;
import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.VolumeReport;
import dev.datachecksums.operator.OperatorApp;
import dev.datachecksums.operator.Options;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/**
 * {@code make demo}: creates a PostgreSQL without checksums, loads it, keeps a writer going, applies the sample resource,
 * shows the status live, and at the end what the server, the writer and pg_checksums say. On this machine, or on the
 * cluster of {@code KUBECONFIG}. Everything it made is gone when it ends, also by Ctrl-C.
 */
public final class Demo {

    private static final String NAME = "orders-db";
    private static final Path SAMPLE = Path.of("manifests/samples/datachecksums.yaml");
    private static final Path CRD = Path.of("manifests/crds/datachecksums.dev_datachecksums.yaml");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** A server that converts while it serves, with pgbench's rate beside. */
    private static final boolean ONLINE = Boolean.getBoolean("dck.online");
    /** Online so much that one can watch. */
    private static final int MEGABYTES = ONLINE ? 1000 : 300;
    /** So long pgbench is watched before and after. */
    private static final Duration WATCHED = Duration.ofSeconds(8);

    private final Screen screen;

    private Demo(Screen screen) {
        this.screen = screen;
    }

    /** Exit status 0 only if the server says on, no row is missing and no page is bad. */
    public static void main(String[] args) throws Exception {
        // The status on the screen says the same in order; the operator's own lines would run across it.
        ((Logger) LoggerFactory.getLogger("dev.datachecksums.operator")).setLevel(Level.WARN);
        Demo demo = new Demo(new Screen(System.out, Boolean.getBoolean("dck.terminal")));
        boolean cluster = System.getenv("KUBECONFIG") != null;
        Testbed testbed = cluster ? ClusterTestbed.open() : EmbeddedTestbed.start();
        if (cluster) {
            // The embedded one sees to its own end, also by Ctrl-C.
            Runtime.getRuntime().addShutdownHook(new Thread(testbed::close, "clean-up"));
        }
        int status = 1;
        try {
            status = demo.run(testbed) ? 0 : 1;
        } catch (IllegalStateException | SQLException | TimeoutException | ExecutionException e) {
            demo.screen.say("the demo did not get to its end: " + e);
            demo.screen.say(testbed.dump());
        }
        // Threads of the testbed and of the clients may still wait for something; the demo is over all the same.
        System.exit(status);
    }

    private boolean run(Testbed testbed) throws Exception {
        screen.say("kubectl sees it too:  export KUBECONFIG=" + testbed.kubeconfig());
        screen.say("                      kubectl get dck -w");
        screen.say("");
        installCrd(testbed);
        screen.say("A PostgreSQL without data checksums is made ...");
        PostgresSpec named = PostgresSpec.named(NAME);
        PostgresInstance postgres = testbed.createReady(ONLINE ? named.withMajor(Subject.major()) : named);
        try (Connection c = postgres.connect()) {
            long bytes = Filler.fill(c, "orders", MEGABYTES);
            screen.say(String.format(
                    Locale.ROOT,
                    "loaded %d MB; SHOW data_checksums says: %s",
                    bytes / 1_000_000,
                    postgres.dataChecksums()));
        }
        try (AckedWriter writer = AckedWriter.start(timeout -> postgres.connect(timeout));
                KubernetesClient client = testbed.operatorClient();
                OperatorApp operator = OperatorApp.start(
                        client,
                        Options.parse(
                                List.of(
                                        "--watch-namespaces=" + testbed.namespace(),
                                        "--metrics-port=0",
                                        "--health-port=0"),
                                Map.of()))) {
            screen.say("a writer inserts a row every 2 ms; the operator runs (metrics on port " + operator.metricsPort()
                    + ")");
            screen.say("");
            writer.awaitMore(200, Duration.ofSeconds(30));
            if (ONLINE) {
                underLoad(testbed, postgres);
            } else {
                declare(testbed, postgres);
            }
            writer.awaitMore(200, Duration.ofSeconds(30));
            return report(postgres, writer);
        }
    }

    /** The same show, with what pgbench has of it. */
    private void underLoad(Testbed testbed, PostgresInstance postgres) throws Exception {
        String address = postgres.pod().orElseThrow().getStatus().getPodIP();
        try (Pgbench load = Pgbench.start(Subject.bin(), address, 5432, postgres.user(), postgres.password(), 2, 2)) {
            screen.say("pgbench runs beside it, with 2 clients; a moment to see how fast it goes ...");
            Instant began = Instant.now();
            Thread.sleep(WATCHED.toMillis());
            Instant declared = Instant.now();
            screen.say(String.format(Locale.ROOT, "pgbench: %.0f transactions a second", load.tps(began, declared)));
            screen.say("");
            screen.beside(() -> load.samples().stream()
                    .reduce((earlier, later) -> later)
                    .map(s -> String.format(Locale.ROOT, "  pgbench %.0f/s", s.tps()))
                    .orElse(""));
            declare(testbed, postgres);
            Instant ended = Instant.now();
            Thread.sleep(WATCHED.toMillis());
            screen.say(String.format(
                    Locale.ROOT,
                    "pgbench, transactions a second:   %.0f before, %.0f during, %.0f after",
                    load.tps(began, declared),
                    load.tps(declared, ended.plusSeconds(1)),
                    load.tps(ended, Instant.now())));
            screen.say("slower during it? policy.online.costDelay and costLimit say how hard it may go");
        }
    }

    private static void installCrd(Testbed testbed) throws IOException {
        try (InputStream yaml = Files.newInputStream(CRD)) {
            testbed.client()
                    .load(yaml)
                    .items()
                    .forEach(i -> testbed.client().resource(i).createOr(NonDeletingOperation::update));
        }
    }

    private static DataChecksums sample() throws IOException {
        return Serialization.unmarshal(Files.readString(SAMPLE), DataChecksums.class);
    }

    private static Secret secret(DataChecksums sample, PostgresInstance postgres) {
        var names = sample.getSpec().connection().credentials();
        return new SecretBuilder()
                .withNewMetadata()
                .withName(names.secretName())
                .endMetadata()
                .addToStringData(names.usernameKey(), postgres.user())
                .addToStringData(names.passwordKey(), postgres.password())
                .build();
    }

    private void declare(Testbed testbed, PostgresInstance postgres) throws Exception {
        screen.say("$ kubectl apply -f " + SAMPLE);
        screen.say(Files.readString(SAMPLE).strip().indent(4).stripTrailing());
        screen.say("");
        CompletableFuture<DataChecksums> converged = new CompletableFuture<>();
        var resources = testbed.client().resources(DataChecksums.class).inNamespace(testbed.namespace());
        Watch watch = resources.watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, DataChecksums d) {
                DataChecksumsStatus s = d.getStatus();
                if (s != null && s.phase() != null) {
                    screen.show(s);
                    if (s.phase() == Phase.CONVERGED && s.lastConversion() != null) {
                        converged.complete(d);
                    }
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                converged.completeExceptionally(cause);
            }
        });
        try {
            DataChecksums sample = sample();
            testbed.client()
                    .resource(secret(sample, postgres))
                    .inNamespace(testbed.namespace())
                    .create();
            resources.resource(sample).create();
            DataChecksums d = converged.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            LastConversion last = d.getStatus().lastConversion();
            screen.say("");
            screen.say("outage by the operator's measure: " + (last == null ? "unknown" : last.outage()));
        } finally {
            watch.close();
        }
    }

    private boolean report(PostgresInstance postgres, AckedWriter writer) throws Exception {
        screen.say((ONLINE ? "longest pause of the writer:      " : "outage by the writer's:           ")
                + Screen.millis(writer.longestGap()));
        String says = postgres.dataChecksums();
        screen.say("SHOW data_checksums:              " + says);
        writer.close();
        int missing = writer.missing().size();
        screen.say("rows acknowledged / missing:      " + writer.acknowledged() + " / " + missing);
        VolumeReport report = postgres.inspectStopped();
        screen.say("pg_checksums --check:             "
                + report.check().strip().replace("\n", "\n                                  "));
        return says.equals("on") && missing == 0 && report.checkExit() == 0;
    }
}
