package dev.datachecksums.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.api.v1alpha1.DesiredState;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sample of what {@code make faults} injects. The seed is in the output, and gives the same faults again. */
@Tag("embedded")
class FaultsE2E {
    private static final int FAULTS = 12;
    private static final long SEED = 20261130;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothingIsLostLeftDownOrLeftBehindWhereverAFaultStrikes() {
        FaultTable table = Faults.sample(SEED, FAULTS, 2);
        String text = table.write();
        System.out.println(text);
        assertThat(table.wrong()).as(text).isEmpty();
        // Its step comes in nearly every run: a sample of which little struck would prove nothing.
        assertThat(table.struck()).isGreaterThan(FAULTS / 2);
    }

    /** The checks themselves: each sees what it is there for. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void whatMustNeverBeIsSeen() throws Exception {
        try (World world = new World(1, Map.of())) {
            world.killOperator();
            assertThat(world.baseline.left(List.of())).isEmpty();
            assertThat(world.baseline.touched(world.name(), List.of())).isEmpty();

            world.server.execute(
                    "alter system set work_mem = '5MB'", "select pg_create_physical_replication_slot('forgotten')");
            Files.writeString(world.testbed.volume(world.server).resolve("forgotten"), "");
            annotatePod(world, "\"left\"");
            assertThat(String.join("\n", world.baseline.left(List.of("datachecksums.dev/restore"))))
                    .contains("work_mem", "slots forgotten", "file forgotten", "annotation datachecksums.dev/left")
                    .contains("finalizer datachecksums.dev/restore");

            labelClaim(world);
            assertThat(world.baseline.touched(
                            world.name(),
                            List.of(
                                    new ApiProxy.Change("PATCH", pods(world) + world.server.podName()),
                                    new ApiProxy.Change("DELETE", pods(world) + "another-0"))))
                    .hasSize(2)
                    .anyMatch(t -> t.contains("PersistentVolumeClaim"))
                    .anyMatch(t -> t.contains("another-0"));

            world.writer.awaitMore(1, Duration.ofSeconds(30));
            world.writer.close();
            world.server.execute("delete from acked where id = 1");
            assertThat(world.writer.missing()).containsExactly(1);

            world.declare(DesiredState.ENABLED);
            claimReady(world);
            await().untilAsserted(() -> assertThat(world.ready.takeLies()).isNotEmpty());
        }
    }

    private static String pods(World world) {
        return "/api/v1/namespaces/" + world.testbed.namespace() + "/pods/";
    }

    private static void annotatePod(World world, String value) {
        world.testbed
                .client()
                .pods()
                .inNamespace(world.testbed.namespace())
                .withName(world.server.podName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"datachecksums.dev/left\":" + value + "}}}");
    }

    private static void labelClaim(World world) {
        world.testbed
                .client()
                .persistentVolumeClaims()
                .inNamespace(world.testbed.namespace())
                .withName(world.server.claimName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"touched\":\"yes\"}}}");
    }

    private static void claimReady(World world) {
        long generation = world.declaration().get().getMetadata().getGeneration();
        world.declaration().subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"status":{"observedGeneration":%d,"conditions":[{"type":"Ready","status":"True","reason":"Claimed",\
                        "message":"","lastTransitionTime":"2026-11-30T00:00:00Z"}]}}""".formatted(
                        generation));
    }
}
