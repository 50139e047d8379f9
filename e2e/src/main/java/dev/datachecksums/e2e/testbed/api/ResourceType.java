package dev.datachecksums.e2e.testbed.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Set;

/**
 * One served resource: what discovery says of it and what decides how its objects are treated.
 *
 * @param subresources such as {@code status} and {@code scale}
 * @param selectableFields dotted paths that a field selector may name, besides metadata.name and metadata.namespace
 * @param schema the structural schema of a custom resource; a missing node for a built-in one
 * @param columns what {@code kubectl get} prints
 */
public record ResourceType(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        Set<String> subresources,
        Set<String> selectableFields,
        JsonNode schema,
        List<Column> columns) {

    /**
     * A printed column.
     *
     * @param priority 0 is always shown, above only with {@code -o wide}
     */
    record Column(String name, String type, int priority, String jsonPath) {}

    static ResourceType builtin(String apiVersion, String kind, String plural) {
        int slash = apiVersion.indexOf('/');
        return new ResourceType(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                kind,
                plural,
                kind.toLowerCase(java.util.Locale.ROOT),
                List.of(),
                List.of(),
                true,
                Set.of(),
                Set.of(),
                MissingNode.getInstance(),
                List.of());
    }

    ResourceType named(String... shorts) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                List.of(shorts),
                categories,
                namespaced,
                subresources,
                selectableFields,
                schema,
                columns);
    }

    ResourceType inAll() {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                shortNames,
                List.of("all"),
                namespaced,
                subresources,
                selectableFields,
                schema,
                columns);
    }

    ResourceType clusterWide() {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                shortNames,
                categories,
                false,
                subresources,
                selectableFields,
                schema,
                columns);
    }

    ResourceType with(String... subs) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                shortNames,
                categories,
                namespaced,
                Set.of(subs),
                selectableFields,
                schema,
                columns);
    }

    ResourceType selectableBy(String... fields) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                singular,
                shortNames,
                categories,
                namespaced,
                subresources,
                Set.of(fields),
                schema,
                columns);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As in messages: {@code statefulsets.apps}. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    boolean hasStatus() {
        return subresources.contains("status");
    }

    boolean custom() {
        return !schema.isMissingNode();
    }

    boolean is(String qualified) {
        return qualifiedName().equals(qualified);
    }

    ObjectKey key(String namespace, String name) {
        return new ObjectKey(qualifiedName(), namespaced ? namespace : "", name);
    }
}
