package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who may do what: everything, but for verbs that a scenario takes from a user. A user is the bearer token of the request.
 */
public final class Access {
    private record Denial(String user, String verb, String resource) {}

    private final Set<Denial> denials = ConcurrentHashMap.newKeySet();

    /**
     * Takes a verb from a user until {@link #allow}.
     *
     * @param resource qualified, with the subresource, such as {@code secrets}, {@code jobs.batch}, {@code pods/log}
     */
    public void deny(String user, String verb, String resource) {
        denials.add(new Denial(user, verb, resource));
    }

    public void allow(String user, String verb, String resource) {
        denials.remove(new Denial(user, verb, resource));
    }

    boolean denies(String user, String verb, String resource) {
        return denials.contains(new Denial(user, verb, resource));
    }

    /** The answer to a SelfSubjectAccessReview or SelfSubjectRulesReview. */
    ObjectNode review(String user, ObjectNode review) {
        ObjectNode answer = review.deepCopy();
        ObjectNode status = answer.putObject("status");
        Json.child(answer, "metadata");
        if (answer.path("kind").asText().equals("SelfSubjectRulesReview")) {
            ObjectNode rule = status.putArray("resourceRules").addObject();
            for (String key : new String[] {"verbs", "apiGroups", "resources"}) {
                rule.putArray(key).add("*");
            }
            status.putArray("nonResourceRules");
            status.put("incomplete", false);
            return answer;
        }
        JsonNode asked = Json.at(answer, "spec.resourceAttributes");
        String group = asked.path("group").asText("");
        String sub = asked.path("subresource").asText("");
        String resource = asked.path("resource").asText("")
                + (group.isEmpty() ? "" : "." + group)
                + (sub.isEmpty() ? "" : "/" + sub);
        boolean denied = denies(user, asked.path("verb").asText(""), resource);
        status.put("allowed", !denied);
        if (denied) {
            status.put("reason", "denied by the testbed");
        }
        return answer;
    }
}
