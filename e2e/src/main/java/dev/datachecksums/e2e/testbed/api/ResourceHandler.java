package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Carries out a request on a resource: from its method and path to a verb, and from the result to an answer. */
final class ResourceHandler {
    private static final Duration DEFAULT_WATCH = Duration.ofMinutes(40);

    /** What is sent back. */
    sealed interface Answer {
        record Document(int code, ObjectNode body) implements Answer {}

        record Watch(WatchStream stream) implements Answer {}

        record Text(LogSource.Log log) implements Answer {}
    }

    private final TypeRegistry types;
    private final ObjectStore store;
    private final Resources resources;
    private final Access access;
    private final LogSource logs;

    ResourceHandler(TypeRegistry types, ObjectStore store, Resources resources, Access access, LogSource logs) {
        this.types = types;
        this.store = store;
        this.resources = resources;
        this.access = access;
        this.logs = logs;
    }

    Answer answer(ApiRequest request) {
        ResourcePath path = ResourcePath.of(request.path());
        if (path.group().equals("authorization.k8s.io") && request.method().equals("POST")) {
            return new Answer.Document(201, access.review(request.user(), request.object()));
        }
        ResourceType served = types.find(path.group(), path.version(), path.plural());
        checkAccess(request, path, served);
        boolean newEvents = path.group().equals(EventViews.GROUP);
        ResourceType type = newEvents ? types.find("", "v1", "events") : served;
        UnaryOperator<ObjectNode> out = newEvents ? EventViews::fromCore : UnaryOperator.identity();
        UnaryOperator<ObjectNode> in = newEvents ? EventViews::toCore : UnaryOperator.identity();
        if (!path.subresource().isEmpty() && !type.subresources().contains(path.subresource())) {
            throw ApiException.noSuchPath();
        }
        String namespace = path.namespace();
        String name = path.name();
        return switch (request.method()) {
            case "GET" -> {
                if (path.subresource().equals("log")) {
                    yield new Answer.Text(logs.open(logWish(request, path)));
                }
                if (path.subresource().equals("scale")) {
                    yield document(ScaleView.of(resources.get(type, namespace, name)));
                }
                if (request.watches()) {
                    yield new Answer.Watch(new WatchStream(store, watchWish(request, path, type, out)));
                }
                yield name.isEmpty()
                        ? list(request, path, type, out)
                        : document(rendered(request, type, out.apply(resources.get(type, namespace, name))));
            }
            case "POST" ->
                new Answer.Document(
                        201,
                        rendered(
                                request,
                                type,
                                out.apply(resources.create(
                                        type, namespace, in.apply(request.object()), request.dryRun()))));
            case "PUT" -> document(out.apply(put(request, path, type, in.apply(request.object()))));
            case "PATCH" -> document(rendered(request, type, out.apply(patch(request, path, type, in, out))));
            case "DELETE" -> delete(request, path, type, out);
            default -> throw ApiException.methodNotAllowed();
        };
    }

    private void checkAccess(ApiRequest request, ResourcePath path, ResourceType type) {
        String verb = switch (request.method()) {
            case "GET" -> request.watches() ? "watch" : path.name().isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            default -> path.name().isEmpty() ? "deletecollection" : "delete";
        };
        String resource = type.qualifiedName() + (path.subresource().isEmpty() ? "" : "/" + path.subresource());
        if (access.refuses(request.user(), verb, resource)) {
            throw ApiException.forbidden(type, path.name(), verb);
        }
    }

    private ObjectNode put(ApiRequest request, ResourcePath path, ResourceType type, ObjectNode body) {
        boolean scale = path.subresource().equals("scale");
        ObjectNode result = resources.update(
                type,
                path.namespace(),
                path.name(),
                scale ? "" : path.subresource(),
                old -> scale ? ScaleView.into(old, body) : body,
                request.dryRun());
        return scale ? ScaleView.of(result) : result;
    }

    private ObjectNode patch(
            ApiRequest request,
            ResourcePath path,
            ResourceType type,
            UnaryOperator<ObjectNode> in,
            UnaryOperator<ObjectNode> out) {
        JsonNode patch = Json.read(request.body());
        boolean scale = path.subresource().equals("scale");
        ObjectNode result = resources.update(
                type,
                path.namespace(),
                path.name(),
                scale ? "" : path.subresource(),
                old -> scale
                        ? ScaleView.into(old, Patches.apply(type, request.mediaType(), ScaleView.of(old), patch))
                        : in.apply(Patches.apply(type, request.mediaType(), out.apply(old), patch)),
                request.dryRun());
        return scale ? ScaleView.of(result) : result;
    }

    private Answer list(ApiRequest request, ResourcePath path, ResourceType type, UnaryOperator<ObjectNode> out) {
        ObjectStore.Listing found = resources.list(type, path.namespace(), selector(request, type));
        List<ObjectNode> objects = found.objects().stream().map(out).toList();
        String version = Long.toString(found.version());
        if (request.wantsTable()) {
            return document(Tables.of(type, objects, version, request.get("includeObject")));
        }
        ObjectNode list = Json.object();
        if (request.wantsMetadataOnly()) {
            list.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
        } else {
            list.put("kind", type.kind() + "List").put("apiVersion", apiVersion(path));
        }
        list.putObject("metadata").put("resourceVersion", version);
        ArrayNode items = list.putArray("items");
        objects.forEach(o -> items.add(request.wantsMetadataOnly() ? Tables.partial(o) : o));
        return document(list);
    }

    private Answer delete(ApiRequest request, ResourcePath path, ResourceType type, UnaryOperator<ObjectNode> out) {
        DeleteOptions options = DeleteOptions.of(request.optionalBody(), request.query());
        if (!path.name().isEmpty()) {
            Resources.Deleted deleted = resources.delete(type, path.namespace(), path.name(), options);
            boolean object = !deleted.gone() || type.is("pods");
            return document(object ? out.apply(deleted.object()) : success(type, deleted.object()));
        }
        List<ObjectNode> objects = new ArrayList<>();
        for (ObjectNode object :
                resources.list(type, path.namespace(), selector(request, type)).objects()) {
            objects.add(resources
                    .delete(type, Json.text(object, "metadata.namespace"), Json.text(object, "metadata.name"), options)
                    .object());
        }
        ObjectNode list = Json.object().put("kind", type.kind() + "List").put("apiVersion", type.apiVersion());
        list.putObject("metadata").put("resourceVersion", Long.toString(store.version()));
        list.putArray("items").addAll(objects);
        return document(list);
    }

    private static ObjectNode success(ResourceType type, ObjectNode object) {
        ObjectNode status =
                Json.object().put("kind", "Status").put("apiVersion", "v1").put("status", "Success");
        status.putObject("metadata");
        status.putObject("details")
                .put("name", Json.text(object, "metadata.name"))
                .put("group", type.group())
                .put("kind", type.plural())
                .put("uid", Json.text(object, "metadata.uid"));
        return status;
    }

    private static Predicate<JsonNode> selector(ApiRequest request, ResourceType type) {
        return LabelSelector.parse(request.get("labelSelector"))
                .and(FieldSelector.parse(type, request.get("fieldSelector")));
    }

    private static ObjectNode rendered(ApiRequest request, ResourceType type, ObjectNode object) {
        if (request.wantsTable()) {
            String version = Json.text(object, "metadata.resourceVersion");
            return Tables.of(type, List.of(object), version, request.get("includeObject"));
        }
        return request.wantsMetadataOnly() ? Tables.partial(object) : object;
    }

    private static WatchStream.Wish watchWish(
            ApiRequest request, ResourcePath path, ResourceType type, UnaryOperator<ObjectNode> out) {
        Predicate<JsonNode> selector = selector(request, type);
        if (!path.name().isEmpty()) {
            selector = selector.and(o -> Json.text(o, "metadata.name").equals(path.name()));
        }
        String timeout = request.get("timeoutSeconds");
        return new WatchStream.Wish(
                type,
                path.namespace(),
                selector,
                request.get("resourceVersion"),
                request.is("allowWatchBookmarks"),
                request.is("sendInitialEvents"),
                timeout.isEmpty() || timeout.equals("0") ? DEFAULT_WATCH : Duration.ofSeconds(Long.parseLong(timeout)),
                object -> rendered(request, type, out.apply(object)));
    }

    private static LogSource.Wish logWish(ApiRequest request, ResourcePath path) {
        String tail = request.get("tailLines");
        String since = request.get("sinceSeconds");
        return new LogSource.Wish(
                path.namespace(),
                path.name(),
                request.get("container"),
                request.is("follow"),
                request.is("previous"),
                request.is("timestamps"),
                tail.isEmpty() ? java.util.OptionalInt.empty() : java.util.OptionalInt.of(Integer.parseInt(tail)),
                since.isEmpty() ? Long.MAX_VALUE : Long.parseLong(since));
    }

    private static String apiVersion(ResourcePath path) {
        return path.group().isEmpty() ? path.version() : path.group() + "/" + path.version();
    }

    private static Answer document(ObjectNode body) {
        return new Answer.Document(200, body);
    }
}
