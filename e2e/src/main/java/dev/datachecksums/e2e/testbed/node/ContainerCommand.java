package dev.datachecksums.e2e.testbed.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.datachecksums.e2e.testbed.api.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a container runs, and its environment. */
final class ContainerCommand {
    private static final String ENTRYPOINT = read("postgres-entrypoint.sh");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_]*)\\)");

    private final JsonNode container;
    private final Images.Image image;
    private final TreeMap<String, String> environment = new TreeMap<>();

    /** @throws MissingException if a secret, a config map or a key of one is not there */
    ContainerCommand(ObjectNode pod, JsonNode container, Images.Image image, Path home, ClusterObjects objects)
            throws MissingException {
        this.container = container;
        this.image = image;
        String rest = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("PATH", image.path().isEmpty() ? rest : image.path() + ":" + rest);
        environment.put("HOME", home.toString());
        environment.put("HOSTNAME", Json.text(pod, "metadata.name"));
        environment.put("LANG", "C.UTF-8");
        if (image.postgres()) {
            environment.put("POD_IP", Json.text(pod, "status.podIP"));
            environment.put("SOCKET_DIRECTORY", home.toString());
        }
        for (JsonNode variable : container.path("env")) {
            value(pod, variable, objects)
                    .ifPresent(v -> environment.put(variable.path("name").asText(), v));
        }
    }

    /** Nothing for an optional reference to what is not there: the variable is not set then. */
    private Optional<String> value(ObjectNode pod, JsonNode variable, ClusterObjects objects) throws MissingException {
        if (!variable.has("valueFrom")) {
            return Optional.of(expand(variable.path("value").asText("")));
        }
        JsonNode from = variable.path("valueFrom");
        try {
            return Optional.of(resolve(pod, from, objects));
        } catch (MissingException e) {
            if (from.path("secretKeyRef").path("optional").asBoolean()
                    || from.path("configMapKeyRef").path("optional").asBoolean()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** A reference to something that is not there: CreateContainerConfigError. */
    static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;

        MissingException(String what) {
            super(what);
        }
    }

    Map<String, String> environment() {
        return environment;
    }

    /**
     * The command line.
     *
     * @param terminationLog what stands for the container's /dev/termination-log
     */
    List<String> words(String terminationLog) {
        List<String> words = new ArrayList<>();
        List<String> command = Json.strings(container.path("command"));
        List<String> arguments = Json.strings(container.path("args"));
        boolean serves = image.postgres()
                && command.isEmpty()
                && (arguments.isEmpty()
                        || arguments.get(0).startsWith("-")
                        || arguments.get(0).equals("postgres"));
        if (serves) {
            words.addAll(List.of("sh", "-c", ENTRYPOINT, "postgres-entrypoint"));
            words.addAll(
                    !arguments.isEmpty() && arguments.get(0).equals("postgres")
                            ? arguments.subList(1, arguments.size())
                            : arguments);
            return words;
        }
        words.addAll(command);
        words.addAll(arguments);
        words.replaceAll(word -> expand(word).replace("/dev/termination-log", terminationLog));
        return words;
    }

    private static String resolve(ObjectNode pod, JsonNode from, ClusterObjects objects) throws MissingException {
        String field = Json.text(from, "fieldRef.fieldPath");
        if (!field.isEmpty()) {
            return Json.text(pod, field);
        }
        boolean secret = from.has("secretKeyRef");
        JsonNode reference = secret ? from.path("secretKeyRef") : from.path("configMapKeyRef");
        String name = reference.path("name").asText();
        String key = reference.path("key").asText();
        var object = objects.find(secret ? "secrets" : "configmaps", ClusterObjects.namespace(pod), name);
        if (object.isEmpty()) {
            throw new MissingException((secret ? "secret" : "configmap") + " \"" + name + "\" not found");
        }
        JsonNode value = object.get().path("data").path(key);
        if (value.isMissingNode()) {
            throw new MissingException("couldn't find key " + key + " in " + name);
        }
        return secret ? new String(Base64.getDecoder().decode(value.asText()), StandardCharsets.UTF_8) : value.asText();
    }

    /** Kubernetes' own {@code $(NAME)}; what is not known stays as it is. */
    private String expand(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(environment.getOrDefault(m.group(1), m.group())));
    }

    private static String read(String resource) {
        try (InputStream in = ContainerCommand.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
