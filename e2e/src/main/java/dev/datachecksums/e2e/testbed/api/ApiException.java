package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A refusal in the words of the Kubernetes API: what becomes the HTTP code and the {@code Status} body. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final transient ObjectNode details;

    private ApiException(int code, String reason, String message, ObjectNode details) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.details = details;
    }

    /** The HTTP code. */
    public int code() {
        return code;
    }

    static ApiException badRequest(String message) {
        return new ApiException(400, "BadRequest", message, Json.object());
    }

    static ApiException forbidden(ResourceType type, String name, String verb) {
        return new ApiException(
                403,
                "Forbidden",
                "%s %s is forbidden: the testbed denies %s".formatted(type.qualifiedName(), quoted(name), verb),
                details(type, name));
    }

    static ApiException noSuchPath() {
        return new ApiException(404, "NotFound", "the server could not find the requested resource", Json.object());
    }

    static ApiException notFound(ResourceType type, String name) {
        return new ApiException(
                404, "NotFound", "%s %s not found".formatted(type.qualifiedName(), quoted(name)), details(type, name));
    }

    static ApiException methodNotAllowed() {
        return new ApiException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Json.object());
    }

    static ApiException alreadyExists(ResourceType type, String name) {
        return new ApiException(
                409,
                "AlreadyExists",
                "%s %s already exists".formatted(type.qualifiedName(), quoted(name)),
                details(type, name));
    }

    static ApiException modified(ResourceType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    static ApiException conflict(ResourceType type, String name, String why) {
        return new ApiException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s %s: %s".formatted(type.qualifiedName(), quoted(name), why),
                details(type, name));
    }

    /** A precondition of a deletion that does not hold. The real server names the kind here, not the resource. */
    static ApiException precondition(
            ResourceType type, String name, String what, String wanted, String found, String perhaps) {
        String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        return new ApiException(
                409,
                "Conflict",
                ("Operation cannot be fulfilled on %s %s: the %s in the precondition (%s) does not match the %s in record"
                                + " (%s). The object might have been %s")
                        .formatted(kind, quoted(name), what, wanted, what, found, perhaps),
                details(type, name));
    }

    static ApiException expired(long asked, long oldest) {
        return new ApiException(
                410, "Expired", "too old resource version: %d (%d)".formatted(asked, oldest), Json.object());
    }

    static ApiException unsupportedMediaType(String type) {
        return new ApiException(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format: " + type,
                Json.object());
    }

    static ApiException invalid(ResourceType type, String name, List<Cause> causes) {
        ObjectNode details = Json.object().put("name", name).put("group", type.group());
        details.put("kind", type.kind());
        var list = details.putArray("causes");
        for (Cause cause : causes) {
            list.addObject()
                    .put("reason", cause.reason())
                    .put("message", cause.message())
                    .put("field", cause.field());
        }
        var words = causes.stream().map(c -> c.field() + ": " + c.message()).toList();
        String all = words.size() == 1 ? words.get(0) : "[" + String.join(", ", words) + "]";
        String subject = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        return new ApiException(422, "Invalid", "%s %s is invalid: %s".formatted(subject, quoted(name), all), details);
    }

    static ApiException internal(Throwable why) {
        return new ApiException(500, "InternalError", "Internal error occurred: " + why, Json.object());
    }

    /** One field's fault in a 422. */
    record Cause(String field, String reason, String message) {
        static Cause required(String field) {
            return new Cause(field, "FieldValueRequired", "Required value");
        }

        static Cause invalid(String field, String message) {
            return new Cause(field, "FieldValueInvalid", "Invalid value: " + message);
        }

        static Cause forbidden(String field, String message) {
            return new Cause(field, "FieldValueForbidden", "Forbidden: " + message);
        }
    }

    ObjectNode status() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure")
                .put("message", String.valueOf(getMessage()))
                .put("reason", reason);
        status.set("details", details);
        return status.put("code", code);
    }

    private static ObjectNode details(ResourceType type, String name) {
        return Json.object().put("name", name).put("group", type.group()).put("kind", type.plural());
    }

    private static String quoted(String name) {
        return "\"" + name + "\"";
    }
}
