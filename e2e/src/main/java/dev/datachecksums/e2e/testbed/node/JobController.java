package dev.datachecksums.e2e.testbed.node;

import static dev.datachecksums.e2e.testbed.node.ClusterObjects.JOBS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.PODS;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.condition;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.hasFinalizer;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.name;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.namespace;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.phase;
import static dev.datachecksums.e2e.testbed.node.ClusterObjects.terminating;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * The Job controller: pods until one succeeds, with the finalizer by which deleted pods are counted too; a pod that is deleted before it
 * succeeded has failed. Finished once no pod is left running, and a second later than it could be said, as the real one is late.
 */
final class JobController implements ControlLoop.Controller {
    private static final String COMPONENT = "job-controller";
    private static final String TRACKING = "batch.kubernetes.io/job-tracking";
    private static final Duration LATE = Duration.ofSeconds(1);

    private final ClusterObjects objects;

    JobController(ClusterObjects objects) {
        this.objects = objects;
    }

    @Override
    public void reconcile(ControlLoop.Again again) {
        for (ObjectNode job : objects.list(JOBS)) {
            reconcile(job, again);
        }
        releaseOrphans();
    }

    private void reconcile(ObjectNode job, ControlLoop.Again again) {
        List<ObjectNode> pods = objects.ownedBy(job, PODS);
        int newlyFailed = count(pods, p -> hasFinalizer(p, TRACKING) && failed(p));
        int newlySucceeded = count(pods, p -> hasFinalizer(p, TRACKING) && phase(p).equals("Succeeded"));
        boolean wasFinished = finished(job);
        int failed = Json.at(job, "status.failed").asInt(0) + newlyFailed;
        int succeeded = Json.at(job, "status.succeeded").asInt(0) + newlySucceeded;
        List<ObjectNode> active = pods.stream()
                .filter(p -> !failed(p) && !phase(p).equals("Succeeded"))
                .toList();
        int terminating = count(pods, p -> terminating(p) && !ended(p));
        if (wasFinished || terminating(job)) {
            untrack(pods);
            return;
        }
        String failure = failure(job, failed, again);
        objects.changeStatus(JOBS, job, status -> {
            if (!status.has("startTime") && !suspended(job)) {
                status.put("startTime", Json.time(Instant.now()));
            }
            put(status, "failed", failed);
            put(status, "succeeded", succeeded);
            put(status, "active", active.size());
            put(status, "ready", count(active, p -> ClusterObjects.conditionHolds(p, "Ready")));
            put(status, "terminating", terminating);
            status.putObject("uncountedTerminatedPods");
            if (!failure.isEmpty()) {
                condition(status, "FailureTarget", true, failure, message(failure));
            } else if (succeeded >= completions(job)) {
                condition(
                        status,
                        "SuccessCriteriaMet",
                        true,
                        "CompletionsReached",
                        "Reached expected number of" + " succeeded pods");
            }
        });
        untrack(pods);
        if (!failure.isEmpty() || suspended(job)) {
            active.forEach(p -> objects.delete(PODS, p));
        } else if (succeeded < completions(job)
                && active.size() < Json.at(job, "spec.parallelism").asInt(1)) {
            createWhenDue(job, pods, failed, again);
        }
        boolean over = !failure.isEmpty() || succeeded >= completions(job);
        if (over && active.isEmpty() && terminating == 0) {
            finish(job, pods, failure, again);
        }
    }

    /** The reason why the job cannot succeed any more; empty if it can. */
    private String failure(ObjectNode job, int failed, ControlLoop.Again again) {
        if (failed > Json.at(job, "spec.backoffLimit").asInt(6)) {
            return "BackoffLimitExceeded";
        }
        String start = Json.text(job, "status.startTime");
        JsonNode deadline = Json.at(job, "spec.activeDeadlineSeconds");
        if (deadline.isNumber() && !start.isEmpty()) {
            Duration left = Duration.between(
                    Instant.now(), OffsetDateTime.parse(start).toInstant().plusSeconds(deadline.asLong()));
            if (left.isNegative()) {
                return "DeadlineExceeded";
            }
            again.after(left.plusMillis(50));
        }
        return "";
    }

    private static String message(String failure) {
        return failure.equals("DeadlineExceeded")
                ? "Job was active longer than specified deadline"
                : "Job has reached the specified backoff limit";
    }

    private void createWhenDue(ObjectNode job, List<ObjectNode> pods, int failed, ControlLoop.Again again) {
        if (failed > 0) {
            Instant lastEnd = pods.stream()
                    .map(JobController::endOf)
                    .max(Instant::compareTo)
                    .orElse(Instant.now());
            Duration backOff = Duration.ofSeconds(Math.min(600, 10L << Math.min(failed - 1, 6)));
            Duration left = Duration.between(Instant.now(), lastEnd.plus(backOff));
            if (!left.isNegative() && !left.isZero()) {
                again.after(left);
                return;
            }
        }
        ObjectNode pod = Json.at(job, "spec.template").deepCopy();
        ObjectNode metadata = pod.get("metadata") instanceof ObjectNode m ? m : pod.putObject("metadata");
        metadata.put("generateName", name(job) + "-");
        metadata.putArray("finalizers").add(TRACKING);
        metadata.putArray("ownerReferences").add(ClusterObjects.ownerReference(job));
        if (objects.create(PODS, namespace(job), pod)) {
            objects.event(job, COMPONENT, "Normal", "SuccessfulCreate", "Created pod of job " + name(job));
        }
    }

    private void finish(ObjectNode job, List<ObjectNode> pods, String failure, ControlLoop.Again again) {
        Instant lastEnd =
                pods.stream().map(JobController::endOf).max(Instant::compareTo).orElse(Instant.EPOCH);
        Duration left = Duration.between(Instant.now(), lastEnd.plus(LATE));
        if (!left.isNegative()) {
            again.after(left.plusMillis(10));
            return;
        }
        boolean success = failure.isEmpty();
        objects.changeStatus(JOBS, job, status -> {
            if (success) {
                condition(status, "Complete", true, "CompletionsReached", "Reached expected number of succeeded pods");
                status.put("completionTime", Json.time(Instant.now()));
            } else {
                condition(status, "Failed", true, failure, message(failure));
            }
        });
        objects.event(
                job,
                COMPONENT,
                success ? "Normal" : "Warning",
                success ? "Completed" : failure,
                success ? "Job completed" : message(failure));
    }

    private void untrack(List<ObjectNode> pods) {
        pods.stream()
                .filter(p -> hasFinalizer(p, TRACKING) && (failed(p) || phase(p).equals("Succeeded")))
                .forEach(p -> objects.removeFinalizer(PODS, p, TRACKING));
    }

    /** Pods whose job is gone have nobody else who would let them go. */
    private void releaseOrphans() {
        for (ObjectNode pod : objects.list(PODS)) {
            if (hasFinalizer(pod, TRACKING)) {
                String owner = Json.items(Json.at(pod, "metadata.ownerReferences")).stream()
                        .filter(r -> r.path("controller").asBoolean())
                        .map(r -> r.path("name").asText())
                        .findFirst()
                        .orElse("");
                boolean gone = objects.find(JOBS, namespace(pod), owner).isEmpty();
                if (gone) {
                    objects.removeFinalizer(PODS, pod, TRACKING);
                }
            }
        }
    }

    private static Instant endOf(ObjectNode pod) {
        return Json.items(Json.at(pod, "status.containerStatuses")).stream()
                .map(c -> Json.text(c, "state.terminated.finishedAt"))
                .filter(t -> !t.isEmpty())
                .map(t -> OffsetDateTime.parse(t).toInstant())
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    private static boolean finished(ObjectNode job) {
        return ClusterObjects.conditionHolds(job, "Complete") || ClusterObjects.conditionHolds(job, "Failed");
    }

    private static boolean failed(ObjectNode pod) {
        return phase(pod).equals("Failed") || (terminating(pod) && !phase(pod).equals("Succeeded"));
    }

    private static boolean ended(ObjectNode pod) {
        return List.of("Failed", "Succeeded").contains(phase(pod));
    }

    private static boolean suspended(ObjectNode job) {
        return Json.at(job, "spec.suspend").asBoolean();
    }

    private static int completions(ObjectNode job) {
        return Json.at(job, "spec.completions").asInt(1);
    }

    private static int count(List<ObjectNode> pods, java.util.function.Predicate<ObjectNode> which) {
        return (int) pods.stream().filter(which).count();
    }

    private static void put(ObjectNode status, String key, int value) {
        if (value == 0) {
            status.remove(key);
        } else {
            status.put(key, value);
        }
    }
}
