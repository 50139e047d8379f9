package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** What clients ask before anything else: version, groups, resources, and as much OpenAPI as {@code kubectl apply} needs. */
final class Discovery {
    /** Groups whose only resources are reviews, which are answered and never stored. */
    private static final String REVIEWS = "authorization.k8s.io";

    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final TypeRegistry types;

    Discovery(TypeRegistry types) {
        this.types = types;
    }

    /** The document at a path; empty if none is there. */
    Optional<ObjectNode> document(List<String> path) {
        return switch (path.get(0)) {
            case "version" -> Optional.of(version());
            case "api" ->
                path.size() == 1
                        ? Optional.of(coreVersions())
                        : path.size() == 2 ? resources("", path.get(1)) : Optional.empty();
            case "apis" ->
                switch (path.size()) {
                    case 1 -> Optional.of(groups());
                    case 2 -> hasGroup(path.get(1)) ? Optional.of(group(path.get(1))) : Optional.empty();
                    case 3 -> resources(path.get(1), path.get(2));
                    default -> Optional.empty();
                };
            case "openapi" -> openApi(path.subList(1, path.size()));
            default -> Optional.empty();
        };
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "34")
                .put("gitVersion", "v1.34.4-embedded")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-11-30T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
    }

    private static ObjectNode coreVersions() {
        ObjectNode versions = Json.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    private ObjectNode groups() {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        types.groups().forEach(g -> groups.add(group(g)));
        groups.add(group(REVIEWS));
        return list;
    }

    private boolean hasGroup(String name) {
        return name.equals(REVIEWS) || types.groups().contains(name);
    }

    private ObjectNode group(String name) {
        ObjectNode group =
                Json.object().put("kind", "APIGroup").put("apiVersion", "v1").put("name", name);
        ArrayNode versions = group.putArray("versions");
        List<String> known = name.equals(REVIEWS)
                ? List.of("v1")
                : types.all()
                        .filter(t -> t.group().equals(name))
                        .map(ResourceType::version)
                        .distinct()
                        .toList();
        for (String version : known) {
            versions.addObject().put("groupVersion", name + "/" + version).put("version", version);
        }
        group.set("preferredVersion", versions.get(0));
        return group;
    }

    private Optional<ObjectNode> resources(String group, String version) {
        ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        if (group.equals(REVIEWS)) {
            for (String kind : List.of("SelfSubjectAccessReview", "SelfSubjectRulesReview")) {
                String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
                resource(resources, plural, "", false, kind).putArray("verbs").add("create");
            }
            return Optional.of(list);
        }
        types.all()
                .filter(t -> t.group().equals(group) && t.version().equals(version))
                .forEach(t -> describe(t, resources));
        return resources.isEmpty() ? Optional.empty() : Optional.of(list);
    }

    private static void describe(ResourceType type, ArrayNode resources) {
        ObjectNode main = resource(resources, type.plural(), type.singular(), type.namespaced(), type.kind());
        ArrayNode verbs = main.putArray("verbs");
        VERBS.forEach(verbs::add);
        if (!type.shortNames().isEmpty()) {
            ArrayNode names = main.putArray("shortNames");
            type.shortNames().forEach(names::add);
        }
        if (!type.categories().isEmpty()) {
            ArrayNode categories = main.putArray("categories");
            type.categories().forEach(categories::add);
        }
        main.put("storageVersionHash", Integer.toHexString(type.hashCode()));
        for (String sub : type.subresources()) {
            boolean scale = sub.equals("scale");
            ObjectNode node = resource(
                    resources, type.plural() + "/" + sub, "", type.namespaced(), scale ? "Scale" : type.kind());
            if (scale) {
                node.put("group", "autoscaling").put("version", "v1");
            }
            ArrayNode subVerbs = node.putArray("verbs").add("get");
            if (!sub.equals("log")) {
                subVerbs.add("patch").add("update");
            }
        }
    }

    private static ObjectNode resource(ArrayNode to, String name, String singular, boolean namespaced, String kind) {
        return to.addObject()
                .put("name", name)
                .put("singularName", singular)
                .put("namespaced", namespaced)
                .put("kind", kind);
    }

    /** Version 3 only, and of it what kubectl looks for: which patch types a kind takes and that it validates fields. */
    private Optional<ObjectNode> openApi(List<String> path) {
        if (path.isEmpty() || !path.get(0).equals("v3")) {
            return Optional.empty();
        }
        if (path.size() == 1) {
            ObjectNode index = Json.object();
            ObjectNode paths = index.putObject("paths");
            types.all()
                    .map(t -> (t.group().isEmpty() ? "api/" : "apis/") + t.apiVersion())
                    .distinct()
                    .forEach(p -> paths.putObject(p).put("serverRelativeURL", "/openapi/v3/" + p));
            return Optional.of(index);
        }
        String apiVersion = String.join("/", path.subList(2, path.size()));
        List<ResourceType> served =
                types.all().filter(t -> t.apiVersion().equals(apiVersion)).toList();
        return served.isEmpty() ? Optional.empty() : Optional.of(openApiOf(served));
    }

    private static ObjectNode openApiOf(List<ResourceType> served) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.34.4-embedded");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (ResourceType type : served) {
            String root = (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
            String path = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural() + "/{name}";
            ObjectNode patch = paths.putObject(path).putObject("patch");
            kind(patch.putObject("x-kubernetes-group-version-kind"), type);
            for (String parameter : List.of("dryRun", "fieldManager", "fieldValidation", "force")) {
                ObjectNode query = patch.withArray("parameters").addObject();
                query.put("name", parameter).put("in", "query");
                query.putObject("schema").put("type", "string");
            }
            ObjectNode content = patch.putObject("requestBody").putObject("content");
            // Without the strategic merge kubectl computes that patch from its own types, as it can.
            content.putObject("application/json-patch+json");
            content.putObject("application/merge-patch+json");
            ObjectNode schema =
                    type.custom() ? type.schema().deepCopy() : Json.object().put("type", "object");
            kind(schema.withArray("x-kubernetes-group-version-kind").addObject(), type);
            schemas.set(
                    "dev.datachecksums.embedded." + type.group() + "." + type.version() + "." + type.kind(), schema);
        }
        return document;
    }

    private static void kind(ObjectNode to, ResourceType type) {
        to.put("group", type.group()).put("version", type.version()).put("kind", type.kind());
    }
}
