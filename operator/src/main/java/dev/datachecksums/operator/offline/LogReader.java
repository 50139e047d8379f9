package dev.datachecksums.operator.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Reads the script's lines. Whatever is no line of its own, such as a tool's complaint, is passed over. Pure. */
final class LogReader {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LIFT_FAILED = "liftFailed";
    private static final int LONGEST_TEXT = 2000;

    private LogReader() {}

    /** The log with one more line; the same log if the line says nothing. */
    static JobLog plus(JobLog log, String line) {
        String trimmed = line.strip();
        if (!trimmed.startsWith("{")) {
            return log;
        }
        JsonNode said;
        try {
            said = JSON.readTree(trimmed);
        } catch (JsonProcessingException e) {
            return log;
        }
        String word = said.path("step").asText("");
        if (LIFT_FAILED.equals(word)) {
            return new JobLog(
                    log.steps(),
                    log.last(),
                    log.ready(),
                    log.bytesDone(),
                    log.bytesTotal(),
                    log.reason(),
                    text(said, "message").or(log::message),
                    Optional.of(false),
                    log.behind(),
                    log.cleaned());
        }
        return Step.of(word).map(step -> plus(log, step, said)).orElse(log);
    }

    private static JobLog plus(JobLog log, Step step, JsonNode said) {
        Map<Step, Instant> steps = new EnumMap<>(Step.class);
        steps.putAll(log.steps());
        steps.put(step, Instant.ofEpochMilli(said.path("ms").asLong()));
        Optional<JobLog.Ready> ready = log.ready();
        long done = log.bytesDone();
        long total = log.bytesTotal();
        Optional<Boolean> lifted = log.lifted();
        Optional<Boolean> cleaned = log.cleaned();
        Optional<Long> behind = log.behind();
        switch (step) {
            case READY ->
                ready = Optional.of(new JobLog.Ready(
                        said.path("systemIdentifier").asText(),
                        Instant.ofEpochSecond(said.path("postmasterStart").asLong())));
            case ARMED -> lifted = Optional.of(false);
            case REWRITING, COPYING, CONVERTING, VERIFYING -> {
                done = Math.max(0, said.path("doneBytes").asLong(done));
                total = Math.max(0, said.path("totalBytes").asLong(total));
            }
            case FOLLOWING ->
                behind = Optional.of(Math.max(0, said.path("behindBytes").asLong()));
            case CLEANED -> cleaned = Optional.of(true);
            case LIFTED, DONE -> {
                lifted = Optional.of(true);
                cleaned = said.has("copy") ? Optional.of(!said.path("copy").asBoolean()) : cleaned;
            }
            case REFUSED, FAILED -> {
                if (said.has("lifted")) {
                    lifted = Optional.of(said.path("lifted").asBoolean());
                }
                if (said.has("copy")) {
                    cleaned = Optional.of(!said.path("copy").asBoolean());
                }
            }
            default -> {}
        }
        return new JobLog(
                steps,
                Optional.of(step),
                ready,
                done,
                total,
                text(said, "reason").or(log::reason),
                text(said, "message").or(log::message),
                lifted,
                behind,
                cleaned);
    }

    private static Optional<String> text(JsonNode said, String field) {
        String text = said.path(field).asText("");
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text);
    }
}
