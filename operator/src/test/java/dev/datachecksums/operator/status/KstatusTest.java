package dev.datachecksums.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.LastConversion;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;

/** What Flux and kubectl's kstatus (cli-utils pkg/kstatus), and Argo CD by its script, make of our statuses. */
class KstatusTest {
    private static final Path SCRIPT = Path.of("../manifests/argocd/health.lua");

    @ParameterizedTest
    @CsvSource({
        "PENDING, off, InProgress, Progressing",
        "WAITING, off, InProgress, Progressing",
        "CONVERTING, off, InProgress, Progressing",
        "STOPPING, off, InProgress, Progressing",
        "REWRITING, off, InProgress, Progressing",
        "STARTING, on, InProgress, Progressing",
        "CONVERGED, on, Current, Healthy",
        // The phase alone makes nothing ready: the server says no.
        "CONVERGED, off, InProgress, Progressing",
        "BLOCKED, off, Failed, Degraded",
        "FAILED, off, Failed, Degraded",
        "DRIFTED, off, Failed, Degraded",
        "SUSPENDED, on, Current, Suspended",
        "SUSPENDED, off, InProgress, Suspended",
    })
    void everyPhaseIsUnderstood(Phase phase, String checksums, String kstatus, String argo) throws IOException {
        JsonNode object = object(phase, checksums, false, 1);
        assertThat(kstatus(object)).isEqualTo(kstatus);
        assertThat(argo(object)).isEqualTo(argo);
    }

    /** None is left out of the table above. */
    @ParameterizedTest
    @EnumSource
    void everyPhaseHasAnAnswer(Phase phase) throws IOException {
        assertThat(kstatus(object(phase, "off", false, 1))).isIn("InProgress", "Current", "Failed");
        assertThat(argo(object(phase, "off", false, 1))).isIn("Progressing", "Healthy", "Degraded", "Suspended");
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVERTING", "WAITING", "STARTING"})
    void oneThatStandsStillIsAFailure(Phase phase) throws IOException {
        assertThat(kstatus(object(phase, "off", true, 1))).isEqualTo("Failed");
        assertThat(argo(object(phase, "off", true, 1))).isEqualTo("Degraded");
    }

    @ParameterizedTest
    @EnumSource
    void aReportOfAnEarlierGenerationIsNoAnswer(Phase phase) throws IOException {
        assertThat(kstatus(object(phase, "on", false, 2))).isEqualTo("InProgress");
        assertThat(argo(object(phase, "on", false, 2))).isEqualTo("Progressing");
    }

    @Test
    void oneThatNobodyHasSeenYetIsInProgressForArgo() throws IOException {
        JsonNode object = new ObjectMapper().readTree("{\"metadata\": {\"generation\": 1}, \"spec\": {}}");
        assertThat(argo(object)).isEqualTo("Progressing");
    }

    /** What is pasted into Argo CD's ConfigMap is the script that was tried here. */
    @Test
    void theConfigMapHoldsTheScript() throws IOException {
        JsonNode map = Serialization.unmarshal(
                Files.readString(Path.of("../manifests/argocd/argocd-cm.yaml")), JsonNode.class);
        assertThat(map.path("data")
                        .path("resource.customizations.health.datachecksums.dev_DataChecksums")
                        .asText())
                .isEqualTo(Files.readString(SCRIPT));
    }

    /** Case 47: a backup is asked for after a conversion, and whoever judges by our status is not alarmed by it. */
    @Test
    void aBackupThatIsAdvisedDegradesNothing() throws IOException {
        LastConversion last =
                new LastConversion(null, null, ConversionMethod.IN_PLACE, null, "2026-11-30T19:00:00Z", "2s", 1L, 1);
        JsonNode object = object(
                Observations.atRest().last(last).server(s -> s.checksums(ChecksumState.ON)), Phase.CONVERGED, false, 1);
        assertThat(object.at("/status/conditions")).anySatisfy(c -> {
            assertThat(c.path("type").asText()).isEqualTo("BackupAdvised");
            assertThat(c.path("status").asText()).isEqualTo("True");
        });
        assertThat(kstatus(object)).isEqualTo("Current");
        assertThat(argo(object)).isEqualTo("Healthy");
    }

    private static JsonNode object(Phase phase, String checksums, boolean stalled, long generation) throws IOException {
        Observations given = Observations.atRest()
                .server(s -> s.checksums(checksums.equals("on") ? ChecksumState.ON : ChecksumState.OFF));
        if (phase == Phase.SUSPENDED) {
            given = given.suspended();
        }
        return object(given, phase, stalled, generation);
    }

    private static JsonNode object(Observations given, Phase phase, boolean stalled, long generation)
            throws IOException {
        Observation o = given.build();
        Verdict v = new Verdict(
                phase,
                "SomeReason",
                "why",
                new Decision.Nothing(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                stalled);
        DataChecksumsStatus status = StatusReport.of(o, v, Outcome.unchanged(o));
        String text = "{\"metadata\": {\"generation\": " + generation + "}, \"spec\": {\"suspend\": "
                + (phase == Phase.SUSPENDED) + "}, \"status\": " + Serialization.asJson(status) + "}";
        return new ObjectMapper().readTree(text);
    }

    /**
     * The documented rules for a custom resource, in their order: being deleted; another generation; Reconciling and Stalled
     * where True; then Ready; without it there is nothing to wait for.
     */
    private static String kstatus(JsonNode object) {
        if (object.at("/metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        JsonNode observed = object.at("/status/observedGeneration");
        if (observed.isNumber()
                && observed.asLong() != object.at("/metadata/generation").asLong()) {
            return "InProgress";
        }
        for (JsonNode condition : object.at("/status/conditions")) {
            boolean is = condition.path("status").asText().equals("True");
            if (is && condition.path("type").asText().equals("Reconciling")) {
                return "InProgress";
            }
            if (is && condition.path("type").asText().equals("Stalled")) {
                return "Failed";
            }
        }
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True") ? "Current" : "InProgress";
            }
        }
        return "Current";
    }

    private static String argo(JsonNode object) throws IOException {
        Globals lua = JsePlatform.standardGlobals();
        lua.set("obj", value(object));
        LuaValue health = lua.load(Files.readString(SCRIPT)).call();
        assertThat(health.get("message").tojstring()).isNotBlank();
        return health.get("status").tojstring();
    }

    private static LuaValue value(@Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return LuaValue.NIL;
        }
        if (node.isObject()) {
            LuaTable table = new LuaTable();
            node.fields().forEachRemaining(f -> table.set(f.getKey(), value(f.getValue())));
            return table;
        }
        if (node.isArray()) {
            LuaTable table = new LuaTable();
            for (int i = 0; i < node.size(); i++) {
                table.set(i + 1, value(node.get(i)));
            }
            return table;
        }
        return node.isBoolean()
                ? LuaValue.valueOf(node.asBoolean())
                : node.isNumber() ? LuaValue.valueOf(node.asInt()) : LuaValue.valueOf(node.asText());
    }
}
