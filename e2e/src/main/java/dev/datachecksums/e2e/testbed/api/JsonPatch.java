package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** RFC 6902, strictly: zjsonpatch forgives the removal of what is not there. */
final class JsonPatch {

    /** A patch that does not apply. */
    static final class DoesNotApplyException extends Exception {
        private static final long serialVersionUID = 1L;

        DoesNotApplyException(String why) {
            super(why);
        }
    }

    private JsonPatch() {}

    /** The patched copy. */
    static JsonNode apply(JsonNode patch, JsonNode document) throws DoesNotApplyException {
        JsonNode result = document.deepCopy();
        for (JsonNode operation : patch) {
            JsonPointer path = pointer(operation, "path");
            String op = operation.path("op").asText();
            switch (op) {
                case "add" -> add(result, path, operation.path("value").deepCopy());
                case "remove" -> remove(result, path);
                case "replace" -> {
                    remove(result, path);
                    add(result, path, operation.path("value").deepCopy());
                }
                case "copy" ->
                    add(result, path, get(result, pointer(operation, "from")).deepCopy());
                case "move" -> {
                    JsonNode moved = get(result, pointer(operation, "from"));
                    remove(result, pointer(operation, "from"));
                    add(result, path, moved);
                }
                case "test" -> {
                    if (!get(result, path).equals(operation.path("value"))) {
                        throw new DoesNotApplyException("testing value " + path + " failed");
                    }
                }
                default -> throw new DoesNotApplyException("unknown operation " + op);
            }
        }
        return result;
    }

    private static JsonPointer pointer(JsonNode operation, String key) throws DoesNotApplyException {
        try {
            return JsonPointer.compile(operation.path(key).asText());
        } catch (IllegalArgumentException e) {
            throw new DoesNotApplyException(String.valueOf(e.getMessage()));
        }
    }

    private static JsonNode get(JsonNode document, JsonPointer path) throws DoesNotApplyException {
        JsonNode found = document.at(path);
        if (found.isMissingNode()) {
            throw new DoesNotApplyException("doc is missing path: " + path + ": missing value");
        }
        return found;
    }

    private static void add(JsonNode document, JsonPointer path, JsonNode value) throws DoesNotApplyException {
        JsonNode parent = get(document, head(path));
        String key = path.last().getMatchingProperty();
        if (parent instanceof ObjectNode object) {
            object.set(key, value);
        } else if (parent instanceof ArrayNode array) {
            array.insert(key.equals("-") ? array.size() : index(path, array.size()), value);
        } else {
            throw new DoesNotApplyException("no object or list at " + head(path));
        }
    }

    private static void remove(JsonNode document, JsonPointer path) throws DoesNotApplyException {
        get(document, path);
        JsonNode parent = get(document, head(path));
        if (parent instanceof ObjectNode object) {
            object.remove(path.last().getMatchingProperty());
        } else if (parent instanceof ArrayNode array) {
            array.remove(index(path, array.size() - 1));
        }
    }

    private static JsonPointer head(JsonPointer path) throws DoesNotApplyException {
        JsonPointer head = path.head();
        if (head == null) {
            throw new DoesNotApplyException("the whole document cannot be changed");
        }
        return head;
    }

    private static int index(JsonPointer path, int most) throws DoesNotApplyException {
        int index = path.last().getMatchingIndex();
        if (index < 0 || index > most) {
            throw new DoesNotApplyException("unable to access invalid index: " + path);
        }
        return index;
    }
}
