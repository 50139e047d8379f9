package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Who may do what: everything, but for verbs that a scenario takes from a user, and for users that have a role. A user is the bearer token
 * of the request.
 */
public final class Access {
    private record Denial(String user, String verb, String resource) {}

    /**
     * A verb on a resource.
     *
     * @param resource qualified, with the subresource, such as {@code secrets}, {@code jobs.batch}, {@code pods/log}
     */
    public record Right(String verb, String resource) {
        @Override
        public String toString() {
            return verb + " " + resource;
        }
    }

    /** A call that changes something. */
    public record Act(String user, Right right) {}

    private static final Set<String> READS = Set.of("get", "list", "watch");
    /** Not what is done about the conversion: who leads, and what was told. */
    private static final Set<String> ASIDE = Set.of("leases.coordination.k8s.io", "events");

    private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
    private final Set<Denial> denials = ConcurrentHashMap.newKeySet();
    private final Map<String, Set<Right>> roles = new ConcurrentHashMap<>();
    private final Map<String, Set<Right>> used = new ConcurrentHashMap<>();

    /** From now on the user may do this and nothing else, besides reviews of its own access. */
    public void restrict(String user, Set<Right> rights) {
        roles.put(user, Set.copyOf(rights));
    }

    /** What the user has asked for so far, whether it was allowed or not. */
    public Set<Right> used(String user) {
        return Set.copyOf(used.getOrDefault(user, Set.of()));
    }

    /** What was changed, or asked to be, in its order; without Leases and Events. */
    public List<Act> acts() {
        return List.copyOf(acts);
    }

    /** Notes the request; whether it is to be refused. */
    boolean refuses(String user, String verb, String resource) {
        used.computeIfAbsent(user, u -> ConcurrentHashMap.newKeySet()).add(new Right(verb, resource));
        if (!READS.contains(verb) && !ASIDE.contains(resource)) {
            acts.add(new Act(user, new Right(verb, resource)));
        }
        return denies(user, verb, resource);
    }

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

    private boolean denies(String user, String verb, String resource) {
        Set<Right> role = roles.get(user);
        return denials.contains(new Denial(user, verb, resource))
                || (role != null && !role.contains(new Right(verb, resource)));
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
