package dev.datachecksums.operator.instance;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Puts a container's variables into a text, as the kubelet does, as far as they are known without asking anybody. Pure. */
final class Variables {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\(([^)]*)\\)");
    private static final Pattern KEYED = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");
    private static final int NESTING = 4;

    private Variables() {}

    /** The text with every {@code $(NAME)} put in; empty if one is not known. */
    static Optional<String> expand(Pod pod, Container container, String text) {
        return expand(pod, container, text, NESTING);
    }

    private static Optional<String> expand(Pod pod, Container container, String text, int depth) {
        StringBuilder out = new StringBuilder();
        Matcher m = VARIABLE.matcher(text);
        while (m.find()) {
            Optional<String> value = depth == 0 ? Optional.empty() : value(pod, container, m.group(1), depth);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            m.appendReplacement(out, Matcher.quoteReplacement(value.get()));
        }
        return Optional.of(m.appendTail(out).toString());
    }

    private static Optional<String> value(Pod pod, Container container, String name, int depth) {
        EnvVar last = null;
        for (EnvVar e : container.getEnv()) {
            if (name.equals(e.getName())) {
                last = e;
            }
        }
        if (last == null) {
            return Optional.empty();
        }
        if (last.getValueFrom() == null) {
            return expand(pod, container, last.getValue() == null ? "" : last.getValue(), depth - 1);
        }
        return Optional.ofNullable(last.getValueFrom().getFieldRef()).flatMap(f -> field(pod, f));
    }

    private static Optional<String> field(Pod pod, ObjectFieldSelector ref) {
        String path = ref.getFieldPath();
        Matcher keyed = KEYED.matcher(path);
        if (keyed.matches()) {
            Map<String, String> map = "labels".equals(keyed.group(1))
                    ? pod.getMetadata().getLabels()
                    : pod.getMetadata().getAnnotations();
            return Optional.ofNullable(map == null ? null : map.get(keyed.group(2)));
        }
        @Nullable
        String value = switch (path) {
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> pod.getMetadata().getNamespace();
            case "metadata.uid" -> pod.getMetadata().getUid();
            case "spec.nodeName" -> pod.getSpec().getNodeName();
            case "spec.serviceAccountName" -> pod.getSpec().getServiceAccountName();
            default -> null;
        };
        return Optional.ofNullable(value);
    }
}
