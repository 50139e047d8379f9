package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.datachecksums.operator.offline.LogFollower.Followed;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The follower against an API server whose log streams are scripted, one answer a request; the last is given for ever. */
class LogFollowerTest {

    /** One answer to a request for the log. */
    private interface Script {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static final Followed POD = new Followed("ns", "orders", "job-uid", "pod", "pod-uid");

    private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private KubernetesClient client;
    private LogFollower follower;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/api/v1/namespaces/ns/pods/pod/log", exchange -> {
            queries.add(exchange.getRequestURI().getQuery());
            Script next = scripts.size() > 1 ? scripts.remove() : scripts.element();
            try (exchange) {
                next.answer(exchange);
            }
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        follower = new LogFollower(
                client, (namespace, resource) -> told.add(namespace + "/" + resource), Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        over.countDown();
        follower.close();
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private static String line(int second, String step) {
        return "2026-11-30T12:00:%02d.5Z {\"step\":\"%s\",\"ms\":%d}%n".formatted(second, step, second * 1000);
    }

    private static Script status(int code) {
        return exchange -> exchange.sendResponseHeaders(code, -1);
    }

    /** Sends lines and ends the stream, cleanly. */
    private static Script ends(String... lines) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                write(out, lines);
            }
        };
    }

    /** Sends lines and then nothing more until the test is over. */
    private Script hangs(String... lines) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            write(exchange.getResponseBody(), lines);
            try {
                over.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** Sends lines and breaks the connection within a chunk. */
    private static Script breaks(String... lines) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1_000_000);
            write(exchange.getResponseBody(), lines);
            throw new IOException("broken on purpose");
        };
    }

    private static void write(OutputStream out, String... lines) {
        try {
            out.write(String.join("", lines).getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitStep(Step step) {
        await().until(() -> follower.log("job-uid").said(step));
    }

    @Test
    void waitsForTheContainerAndTellsOfEveryWord() {
        scripts.addAll(
                List.of(status(400), status(400), status(500), hangs(line(1, "ready"), "junk\n", line(2, "armed"))));
        follower.follow(POD);
        follower.follow(POD);
        awaitStep(Step.ARMED);
        assertThat(told).containsExactly("ns/orders", "ns/orders");
        assertThat(queries)
                .hasSize(4)
                .allSatisfy(q -> assertThat(q).contains("follow=true").contains("container=convert"));
    }

    @Test
    void goesOnFromTheLastLineWhenTheStreamBreaksAndTellsNothingTwice() {
        scripts.addAll(List.of(
                breaks(line(1, "ready"), line(2, "armed")),
                ends(line(2, "armed"), line(3, "stopped")),
                hangs(line(3, "stopped"), line(4, "rewriting"))));
        follower.follow(POD);
        awaitStep(Step.REWRITING);
        assertThat(told).hasSize(4);
        assertThat(queries.get(1)).contains("sinceTime=2026-11-30T12:00:02Z");
        assertThat(queries.get(2)).contains("sinceTime=2026-11-30T12:00:03Z");
    }

    @Test
    void readsTheRestBeforeItSaysThatItHasEnded() {
        scripts.addAll(List.of(hangs(line(1, "armed")), ends(line(1, "armed"), line(2, "stopped"), line(3, "lifted"))));
        follower.follow(POD);
        awaitStep(Step.ARMED);
        JobLog end =
                follower.ended("job-uid", "{\"step\":\"failed\",\"ms\":4000,\"reason\":\"Stopped\",\"lifted\":true}");
        assertThat(end.steps()).containsOnlyKeys(Step.ARMED, Step.STOPPED, Step.LIFTED, Step.FAILED);
        assertThat(end.last()).contains(Step.FAILED);
        assertThat(queries.get(1)).contains("follow=false");
        assertThat(follower.log("job-uid")).isEqualTo(end);
        assertThat(queries).hasSize(2);
    }

    @Test
    void takesTheTerminationMessageWhereTheLogHasGone() {
        scripts.add(status(404));
        follower.follow(POD);
        JobLog end = follower.ended("job-uid", "{\"step\":\"done\",\"ms\":4000,\"checksums\":1}\n");
        assertThat(end.last()).contains(Step.DONE);
        assertThat(end.lifted()).contains(true);
    }

    @Test
    void knowsAnEndThatItNeverFollowed() {
        assertThat(follower.ended("other", "{\"step\":\"done\",\"ms\":4000}").last())
                .contains(Step.DONE);
        assertThat(follower.log("other")).isEqualTo(JobLog.EMPTY);
    }

    @Test
    void remembersAfterThePodHasGoneUntilItIsToldToForget() {
        scripts.addAll(List.of(ends(line(1, "armed")), status(404)));
        follower.follow(POD);
        awaitStep(Step.ARMED);
        await().until(() -> queries.size() == 2);
        await().during(Duration.ofMillis(300)).until(() -> queries.size() == 2);
        assertThat(follower.log("job-uid").said(Step.ARMED)).isTrue();
        follower.forget("job-uid");
        assertThat(follower.log("job-uid")).isEqualTo(JobLog.EMPTY);
        assertThat(follower.size()).isZero();
    }

    @Test
    void followsAnotherPodOfTheSameJob() {
        scripts.add(hangs(line(1, "ready")));
        follower.follow(POD);
        awaitStep(Step.READY);
        scripts.add(hangs(line(2, "armed")));
        scripts.remove();
        follower.follow(new Followed("ns", "orders", "job-uid", "pod", "second"));
        awaitStep(Step.ARMED);
    }

    @Test
    void opensAStreamAnewThatHasBeenSilentForLong() {
        scripts.addAll(List.of(hangs(line(1, "ready")), hangs(line(2, "armed"))));
        FollowedLog log = new FollowedLog(client, (namespace, resource) -> {}, Clock.systemUTC());
        assertThat(log.takes(POD)).isTrue();
        threads.execute(() -> log.run(POD));
        await().until(() -> log.said().said(Step.READY));
        log.wakeIfSilent(Instant.now());
        assertThat(queries).hasSize(1);
        log.wakeIfSilent(Instant.now().plusSeconds(31));
        await().until(() -> log.said().said(Step.ARMED));
        log.close();
    }

    @Test
    void aListenerThatFailsStopsNothing() {
        LogFollower loud = new LogFollower(
                client,
                (namespace, resource) -> {
                    throw new IllegalStateException("on purpose");
                },
                Clock.systemUTC());
        try (loud) {
            scripts.add(hangs(line(1, "ready"), line(2, "armed")));
            loud.follow(POD);
            await().until(() -> loud.log("job-uid").said(Step.ARMED));
        }
    }

    @Test
    void leavesNoThreadBehind() {
        scripts.add(hangs(line(1, "ready")));
        follower.follow(POD);
        awaitStep(Step.READY);
        follower.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.getName().startsWith("job-log")));
    }
}
