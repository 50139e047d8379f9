package dev.datachecksums.e2e.faults;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.e2e.load.AckedWriter;
import dev.datachecksums.e2e.load.Filler;
import dev.datachecksums.e2e.load.ReadyWatch;
import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A testbed with a database that is written to all the while, an operator as a process, and what stands between them. */
final class World implements AutoCloseable {
    private static final String NAME = "faulty";

    final Testbed testbed;
    final PostgresInstance server;
    final Watchpost watchpost = new Watchpost();
    final ApiProxy api;
    final SqlProxy sql;
    final ScriptSeam script;
    final Baseline baseline;
    final AckedWriter writer;
    final ReadyWatch ready;
    private final Path folder;
    private final Path clock;
    private final OperatorHandle operator;
    private final Map<String, Object> offline;

    /**
     * Opens one, with checksums off and declared so.
     *
     * @param megabytes of data: with about a hundred the pod is held while it is stopped
     * @param offline the declaration's {@code policy.offline}
     */
    World(int megabytes, Map<String, Object> offline) throws IOException, SQLException {
        this(megabytes, offline, false);
    }

    /**
     * The same.
     *
     * @param foreign with a file beside the data that only another user could carry over: the directories cannot change places at once then
     */
    World(int megabytes, Map<String, Object> offline, boolean foreign) throws IOException, SQLException {
        this.offline = offline;
        folder = Files.createTempDirectory("dck-faults-");
        clock = folder.resolve("clock");
        testbed = Testbeds.open();
        server = testbed.createReady(ScriptSeam.on(PostgresSpec.named(NAME)));
        Filler.fill(server::connect, megabytes);
        writer = AckedWriter.start(server::connect, "acked", Duration.ofMillis(20));
        script = new ScriptSeam(testbed.volume(server));
        api = new ApiProxy(testbed.operatorKubeconfig(), watchpost);
        sql = new SqlProxy(server, watchpost);
        if (foreign) {
            Files.writeString(
                    testbed.volume(server).resolve(server.pathInVolume()).resolve("somebody.else"), "not the server's");
        }
        baseline = new Baseline(testbed, server);
        operator = Operators.through(
                api.writeKubeconfig(folder.resolve("kubeconfig"), testbed.namespace()),
                ShiftedOperator.class,
                testbed,
                "--converting-interval=1s",
                "--blocked-interval=1s",
                "--resting-interval=1s",
                "--allow-external-hosts=" + sql.host(),
                ShiftedOperator.FLAG + clock);
        declare(DesiredState.DISABLED);
        ready = ReadyWatch.start(declaration(), server::connect);
        ensureOperator();
    }

    String name() {
        return NAME;
    }

    Resource<DataChecksums> declaration() {
        return testbed.client()
                .resources(DataChecksums.class)
                .inNamespace(testbed.namespace())
                .withName(NAME);
    }

    /** Creates the declaration or changes its state. */
    void declare(DesiredState state) {
        String word = state == DesiredState.ENABLED ? "Enabled" : "Disabled";
        if (declaration().get() != null) {
            declaration()
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            Serialization.asJson(Map.of("spec", Map.of("state", word))));
            return;
        }
        Map<String, Object> object = Map.of(
                "apiVersion",
                "datachecksums.dev/v1alpha1",
                "kind",
                "DataChecksums",
                "metadata",
                Map.of("name", NAME, "namespace", testbed.namespace()),
                "spec",
                Map.of(
                        "state",
                        word,
                        "instanceRef",
                        Map.of("name", server.name()),
                        "connection",
                        Map.of("host", sql.host(), "credentials", Map.of("secretName", server.secretName())),
                        "policy",
                        Map.of("offline", offline)));
        testbed.client()
                .resource(Serialization.unmarshal(Serialization.asJson(object), DataChecksums.class))
                .create();
    }

    /** Starts the operator if it does not run. False if it could not be started now. */
    synchronized boolean ensureOperator() {
        if (operator.running()) {
            return true;
        }
        try {
            operator.start();
            return true;
        } catch (IllegalStateException e) {
            // It ends by itself where the API server does not answer at its start: a Deployment would start it again.
            return false;
        }
    }

    synchronized void killOperator() {
        if (operator.running()) {
            operator.kill();
        }
    }

    synchronized void stopOperator() {
        if (operator.running()) {
            operator.stop();
        }
    }

    String operatorLog() {
        return operator.log();
    }

    /** Seconds by which the operator's clock is ahead. */
    void shiftClock(Duration ahead) {
        try {
            Path next = Files.writeString(folder.resolve("clock.next"), Long.toString(ahead.toSeconds()));
            Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The pod of the Job that works or waits, if there is one. */
    Optional<Pod> jobPod() {
        return jobPods().stream()
                .filter(p ->
                        List.of("Running", "Pending").contains(p.getStatus().getPhase()))
                .findFirst();
    }

    private List<Pod> jobPods() {
        return testbed.client()
                .pods()
                .inNamespace(testbed.namespace())
                .withLabel(JobNames.RESOURCE_UID)
                .list()
                .getItems();
    }

    /** The step that the Job's script has said last; nothing where there is no Job, or it has said nothing. */
    String lastWord() {
        Matcher said = Pattern.compile("\"step\":\"(\\w+)\"")
                .matcher(jobPod().map(this::log).orElse(""));
        String last = "";
        while (said.find()) {
            last = said.group(1);
        }
        return last;
    }

    private String log(Pod pod) {
        try {
            return testbed.client()
                    .pods()
                    .inNamespace(testbed.namespace())
                    .withName(pod.getMetadata().getName())
                    .inContainer(ConversionJob.CONTAINER)
                    .getLog();
        } catch (KubernetesClientException e) {
            // It has not started yet, or has just gone.
            return "";
        }
    }

    /** SIGKILL to the Job's script. False if none runs. */
    boolean killJob() {
        Optional<Pod> pod = jobPod();
        if (pod.isEmpty()) {
            return false;
        }
        try {
            testbed.killContainer(pod.get().getMetadata().getName(), ConversionJob.CONTAINER);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            ready.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.close();
        operator.close();
        api.close();
        sql.close();
        script.close();
        testbed.close();
        Files.deleteIfExists(clock);
        Files.deleteIfExists(folder.resolve("kubeconfig"));
        Files.deleteIfExists(folder);
    }
}
