package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.ApiException.Cause;
import java.util.ArrayList;
import java.util.List;

/** What built-in kinds must have, and which of their fields may not change: the rules that a tool here can run into. */
final class Immutability {
    private Immutability() {}

    /** Required fields that an object lacks. */
    static List<Cause> missing(ResourceType type, JsonNode object) {
        List<Cause> faults = new ArrayList<>();
        switch (type.qualifiedName()) {
            case "pods" -> containers(object.path("spec"), "spec", faults);
            case "statefulsets.apps", "deployments.apps" -> {
                JsonNode selector = Json.at(object, "spec.selector");
                JsonNode template = Json.at(object, "spec.template");
                if (selector.isMissingNode()) {
                    faults.add(Cause.required("spec.selector"));
                } else if (!LabelSelector.of(selector).test(template)) {
                    faults.add(Cause.invalid(
                            "spec.template.metadata.labels",
                            "%s: `selector` does not match template `labels`"
                                    .formatted(Json.at(template, "metadata.labels"))));
                }
                containers(template.path("spec"), "spec.template.spec", faults);
            }
            case "jobs.batch" -> {
                containers(Json.at(object, "spec.template.spec"), "spec.template.spec", faults);
                String policy = Json.text(object, "spec.template.spec.restartPolicy");
                if (!policy.equals("Never") && !policy.equals("OnFailure")) {
                    faults.add(new Cause(
                            "spec.template.spec.restartPolicy",
                            "FieldValueRequired",
                            "Required value: valid values: \"OnFailure\", \"Never\""));
                }
            }
            default -> {
                // not looked at
            }
        }
        return faults;
    }

    /** Fields that a change may not touch. */
    static List<Cause> faults(ResourceType type, ObjectNode old, ObjectNode now) {
        List<Cause> faults = new ArrayList<>();
        switch (type.qualifiedName()) {
            case "statefulsets.apps" -> {
                if (!without(
                                old,
                                "replicas",
                                "ordinals",
                                "template",
                                "updateStrategy",
                                "revisionHistoryLimit",
                                "persistentVolumeClaimRetentionPolicy",
                                "minReadySeconds")
                        .equals(without(
                                now,
                                "replicas",
                                "ordinals",
                                "template",
                                "updateStrategy",
                                "revisionHistoryLimit",
                                "persistentVolumeClaimRetentionPolicy",
                                "minReadySeconds"))) {
                    faults.add(Cause.forbidden(
                            "spec",
                            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                                    + " 'updateStrategy', 'revisionHistoryLimit',"
                                    + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"));
                }
            }
            case "jobs.batch" -> {
                for (String field : List.of("template", "selector", "completions")) {
                    if (!Json.at(old, "spec." + field).equals(Json.at(now, "spec." + field))) {
                        faults.add(Cause.invalid("spec." + field, "field is immutable"));
                    }
                }
            }
            case "pods" -> {
                if (!podCore(old).equals(podCore(now))) {
                    faults.add(Cause.forbidden(
                            "spec",
                            "pod updates may not change fields other than `spec.containers[*].image`,"
                                    + " `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`,"
                                    + " `spec.tolerations` (only additions to existing tolerations),"
                                    + " `spec.terminationGracePeriodSeconds`"));
                }
            }
            default -> {
                // nothing is immutable
            }
        }
        return faults;
    }

    private static void containers(JsonNode podSpec, String field, List<Cause> faults) {
        if (podSpec.path("containers").isEmpty()) {
            faults.add(Cause.required(field + ".containers"));
        }
        int i = 0;
        for (JsonNode container : podSpec.path("containers")) {
            for (String key : List.of("name", "image")) {
                if (container.path(key).asText("").isEmpty()) {
                    faults.add(Cause.required("%s.containers[%d].%s".formatted(field, i, key)));
                }
            }
            i++;
        }
    }

    private static JsonNode podCore(ObjectNode pod) {
        ObjectNode spec = (ObjectNode)
                without(pod, "activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "nodeName");
        for (String list : List.of("containers", "initContainers")) {
            spec.path(list).forEach(c -> ((ObjectNode) c).remove("image"));
        }
        return spec;
    }

    private static JsonNode without(ObjectNode object, String... fields) {
        ObjectNode spec = object.path("spec").deepCopy();
        spec.remove(List.of(fields));
        return spec;
    }
}
