package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the protobuf that kubectl sends for {@code create secret}, {@code create job} and their like. Only the fields that these commands
 * set are known; anything else is refused rather than dropped.
 */
final class ProtobufBody {
    static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** Message by message: number, name and type of each field. A capital is a message, * a list, {} a map. */
    private static final Map<String, String> MESSAGES = Map.ofEntries(
            Map.entry("Unknown", "1 typeMeta TypeMeta;2 raw raw;3 contentEncoding text;4 contentType text"),
            Map.entry("TypeMeta", "1 apiVersion text;2 kind text"),
            Map.entry(
                    "Meta",
                    "1 name text;2 generateName text;3 namespace text;4 - text;5 uid text;6 - text;7 - int;8 - Empty;"
                            + "11 labels {text};12 annotations {text}"),
            Map.entry("Empty", ""),
            Map.entry("Secret", "1 metadata Meta;2 data {bytes};3 type text;4 stringData {text};5 immutable bool"),
            Map.entry("ConfigMap", "1 metadata Meta;2 data {text};3 binaryData {bytes};4 immutable bool"),
            Map.entry("Namespace", "1 metadata Meta;2 - Empty;3 - NamespaceStatus"),
            Map.entry("NamespaceStatus", "1 - text"),
            Map.entry("ServiceAccount", "1 metadata Meta"),
            Map.entry("SelfSubjectAccessReview", "1 metadata Meta;2 spec AccessSpec;3 - AccessStatus"),
            Map.entry("AccessSpec", "1 resourceAttributes Attributes;2 nonResourceAttributes PathAttributes"),
            Map.entry(
                    "Attributes",
                    "1 namespace text;2 verb text;3 group text;4 version text;5 resource text;6 subresource text;"
                            + "7 name text"),
            Map.entry("PathAttributes", "1 path text;2 verb text"),
            Map.entry("AccessStatus", "1 - bool;2 - text;3 - text;4 - bool"),
            Map.entry("SelfSubjectRulesReview", "1 metadata Meta;2 spec RulesSpec;3 - RulesStatus"),
            Map.entry("RulesSpec", "1 namespace text"),
            Map.entry("RulesStatus", "3 - bool;4 - text"),
            Map.entry("Job", "1 metadata Meta;2 spec JobSpec;3 - Empty"),
            Map.entry("JobSpec", "1 parallelism int;2 completions int;6 template PodTemplate;7 backoffLimit int"),
            Map.entry("PodTemplate", "1 metadata Meta;2 spec PodSpec"),
            Map.entry(
                    "PodSpec",
                    "2 containers *Container;3 restartPolicy text;6 - text;8 - text;9 - text;10 - text;11 - bool;"
                            + "12 - bool;13 - bool;16 - text;17 - text;19 - text"),
            Map.entry(
                    "Container",
                    "1 name text;2 image text;3 command *text;4 args *text;5 - text;8 - Empty;13 - text;14 - text;"
                            + "16 - bool;17 - bool;18 - bool;20 - text"));

    private record Field(int number, String name, String type) {}

    private ProtobufBody() {}

    /** The object as JSON would have it. */
    static ObjectNode read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, 4, MAGIC, 0, 4)) {
            throw ApiException.badRequest("the body is no Kubernetes protobuf");
        }
        ObjectNode envelope = message("Unknown", ByteBuffer.wrap(body, MAGIC.length, body.length - MAGIC.length));
        ObjectNode type = Json.child(envelope, "typeMeta");
        String kind = type.path("kind").asText();
        if (!MESSAGES.containsKey(kind)) {
            throw unsupported(kind);
        }
        byte[] raw = Base64.getDecoder().decode(envelope.path("raw").asText());
        ObjectNode object = message(kind, ByteBuffer.wrap(raw));
        return object.put("kind", kind)
                .put("apiVersion", type.path("apiVersion").asText());
    }

    private static ObjectNode message(String name, ByteBuffer in) {
        Map<Integer, Field> fields = fields(name);
        ObjectNode message = Json.object();
        while (in.hasRemaining()) {
            long key = varint(in);
            int wire = (int) (key & 7);
            Field field = fields.get((int) (key >> 3));
            if (wire == 0) {
                number(name, field, varint(in), message);
            } else if (wire == 2) {
                int length = (int) varint(in);
                ByteBuffer value = in.slice(in.position(), length);
                in.position(in.position() + length);
                if (field == null) {
                    if (value.hasRemaining()) {
                        throw unsupported(name + "/" + (key >> 3));
                    }
                } else {
                    value(field, value, message);
                }
            } else {
                throw unsupported(name + "/" + (key >> 3));
            }
        }
        return message;
    }

    private static void number(String message, @Nullable Field field, long value, ObjectNode to) {
        if (field == null) {
            if (value != 0) {
                throw unsupported(message);
            }
        } else if (!field.name().equals("-")) {
            if (field.type().equals("bool")) {
                to.put(field.name(), value != 0);
            } else {
                to.put(field.name(), value);
            }
        }
    }

    private static void value(Field field, ByteBuffer value, ObjectNode to) {
        if (field.name().equals("-")) {
            return;
        }
        String type = field.type();
        if (type.startsWith("{")) {
            Field key = new Field(1, "key", "text");
            Field content = new Field(2, "value", type.substring(1, type.length() - 1));
            ObjectNode entry = entry(Map.of(1, key, 2, content), value);
            Json.child(to, field.name()).set(entry.path("key").asText(), entry.get("value"));
        } else if (type.startsWith("*")) {
            ObjectNode one = Json.object();
            value(new Field(field.number(), "one", type.substring(1)), value, one);
            to.withArray(field.name()).add(one.get("one"));
        } else {
            byte[] bytes = new byte[value.remaining()];
            value.get(bytes);
            switch (type) {
                case "text" -> {
                    String text = new String(bytes, StandardCharsets.UTF_8);
                    // Without presence an empty text and an absent one are the same.
                    if (!text.isEmpty()
                            || field.name().equals("one")
                            || field.name().equals("value")) {
                        to.put(field.name(), text);
                    }
                }
                case "bytes", "raw" -> to.put(field.name(), Base64.getEncoder().encodeToString(bytes));
                default -> to.set(field.name(), message(type, ByteBuffer.wrap(bytes)));
            }
        }
    }

    private static ObjectNode entry(Map<Integer, Field> fields, ByteBuffer in) {
        ObjectNode entry = Json.object().put("key", "").put("value", "");
        while (in.hasRemaining()) {
            int number = (int) (varint(in) >> 3);
            byte[] bytes = new byte[(int) varint(in)];
            in.get(bytes);
            value(Objects.requireNonNull(fields.get(number)), ByteBuffer.wrap(bytes), entry);
        }
        return entry;
    }

    private static Map<Integer, Field> fields(String message) {
        Map<Integer, Field> fields = new TreeMap<>();
        String table = MESSAGES.getOrDefault(message, "");
        for (String line : table.isEmpty() ? List.<String>of() : List.of(table.split(";", -1))) {
            String[] words = line.split(" ", 3);
            fields.put(Integer.valueOf(words[0]), new Field(Integer.parseInt(words[0]), words[1], words[2]));
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static ApiException unsupported(String what) {
        return ApiException.unsupportedMediaType(MEDIA_TYPE + " with " + what);
    }
}
