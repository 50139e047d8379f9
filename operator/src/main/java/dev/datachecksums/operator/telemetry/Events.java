package dev.datachecksums.operator.telemetry;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.api.v1alpha1.StatusCondition;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.observe.Interference;
import dev.datachecksums.operator.observe.Observation;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events on the resource: one a change, its reason being the condition's. An event that cannot be written is no error. */
public final class Events {

    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int LONGEST_MESSAGE = 1000;
    private static final Set<String> TOLD_OF = Set.of("CorruptionDetected", "BackupAdvised");

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, String> last = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> told = new ConcurrentHashMap<>();

    /** With the client it writes through. */
    public Events(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Tells what was decided, if it differs from what was told last. */
    public void tell(DataChecksums d, Verdict v) {
        String uid = d.getMetadata().getUid();
        String now = v.phase() + "/" + v.reason() + (v.stalled() ? "/stalled" : "");
        String before = last.put(uid, now);
        if (now.equals(before) || (before == null && known(d, v))) {
            return;
        }
        boolean warns =
                v.phase() == Phase.BLOCKED || v.phase() == Phase.FAILED || v.phase() == Phase.DRIFTED || v.stalled();
        emit(d, warns ? "Warning" : "Normal", v.reason(), v.message());
    }

    /** Tells what others did meanwhile: each kind once a try. */
    public void tell(DataChecksums d, Observation o) {
        String id = o.conversion().map(ConversionStatus::id).orElse("");
        boolean replaced = o.conversion().filter(c -> Planner.replaces(o, c)).isPresent();
        for (Interference i : Interference.of(o, replaced)) {
            if (told.computeIfAbsent(o.resource().uid() + "/" + id, k -> ConcurrentHashMap.newKeySet())
                    .add(i.reason())) {
                emit(d, "Warning", i.reason(), i.message());
            }
        }
        if (id.isEmpty()) {
            told.keySet().removeIf(k -> k.startsWith(o.resource().uid()));
        }
    }

    /** Tells of conditions beside Ready that have become true, or say something else now. */
    public void tell(DataChecksums d, DataChecksumsStatus next) {
        for (StatusCondition c : next.conditions() == null ? List.<StatusCondition>of() : next.conditions()) {
            if (!TOLD_OF.contains(c.type())) {
                continue;
            }
            String key = d.getMetadata().getUid() + "/" + c.type();
            String now = c.status() + "/" + c.reason() + "/" + c.message();
            String before = last.put(key, now);
            if (c.status().equals("True") && !now.equals(before) && !(before == null && stands(d, c))) {
                emit(d, c.type().equals("CorruptionDetected") ? "Warning" : "Normal", c.reason(), c.message());
            }
        }
    }

    private static boolean stands(DataChecksums d, StatusCondition c) {
        return d.getStatus() != null
                && d.getStatus().conditions() != null
                && d.getStatus().conditions().stream()
                        .anyMatch(x -> x.type().equals(c.type())
                                && x.status().equals(c.status())
                                && x.message().equals(c.message()));
    }

    /** Tells what an act has done besides what was decided. */
    public void tell(DataChecksums d, List<Outcome.Note> notes) {
        notes.forEach(n -> emit(d, "Normal", n.reason(), n.message()));
    }

    /** Forgets a resource that has gone. */
    public void forget(String uid) {
        last.keySet().removeIf(k -> k.startsWith(uid));
        told.keySet().removeIf(k -> k.startsWith(uid));
    }

    /** After a restart of the operator, what its status says already is no change. */
    private static boolean known(DataChecksums d, Verdict v) {
        return d.getStatus() != null
                && d.getStatus().phase() == v.phase()
                && d.getStatus().conditions() != null
                && d.getStatus().conditions().stream()
                        .anyMatch(c -> c.type().equals("Ready") && c.reason().equals(v.reason()));
    }

    private void emit(DataChecksums d, String type, String reason, String message) {
        Instant now = clock.instant();
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            client.v1()
                    .events()
                    .inNamespace(d.getMetadata().getNamespace())
                    .resource(new EventBuilder()
                            .withNewMetadata()
                            .withGenerateName(cut(d.getMetadata().getName(), 200) + "-")
                            .withNamespace(d.getMetadata().getNamespace())
                            .endMetadata()
                            .withType(type)
                            .withReason(reason)
                            .withMessage(cut(message, LONGEST_MESSAGE))
                            .withFirstTimestamp(time)
                            .withLastTimestamp(time)
                            .withCount(1)
                            .withNewSource()
                            .withComponent("datachecksums-operator")
                            .endSource()
                            .withReportingComponent("datachecksums.dev/operator")
                            .withNewInvolvedObject()
                            .withApiVersion(d.getApiVersion())
                            .withKind(d.getKind())
                            .withNamespace(d.getMetadata().getNamespace())
                            .withName(d.getMetadata().getName())
                            .withUid(d.getMetadata().getUid())
                            .withResourceVersion(d.getMetadata().getResourceVersion())
                            .endInvolvedObject()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "event {} on {}/{} was not written: HTTP {}",
                    reason,
                    d.getMetadata().getNamespace(),
                    d.getMetadata().getName(),
                    e.getCode());
        }
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest);
    }
}
