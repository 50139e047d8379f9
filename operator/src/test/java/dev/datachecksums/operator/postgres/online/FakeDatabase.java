package dev.datachecksums.operator.postgres.online;

import java.util.ArrayList;
import java.util.List;

/** A scripted database: its relations in the order of its catalog, and the temporary tables in it. */
public final class FakeDatabase {
    /** A relation of one fork. */
    public record Relation(long oid, String name, int blocks) {}

    final long oid;
    public final String name;
    final boolean allowsConnections;
    public final List<Relation> relations = new ArrayList<>();
    boolean invalid;

    FakeDatabase(long oid, String name, boolean allowsConnections) {
        this.oid = oid;
        this.name = name;
        this.allowsConnections = allowsConnections;
        for (int i = 0; i < 4; i++) {
            relations.add(new Relation(1000 + i, "pg_catalog.pg_" + i, 20 + 10 * i));
        }
    }

    public void add(String relation, int blocks) {
        relations.add(new Relation(2000 + relations.size(), "public." + relation, blocks));
    }

    public long bytes() {
        return relations.stream()
                .mapToLong(r -> (long) r.blocks() * OnlineFacts.BLOCK)
                .sum();
    }

    /** As a worker that begins now would find them. */
    public List<RelationSize> sizes() {
        return relations.stream()
                .map(r -> new RelationSize(
                        r.oid(),
                        r.name(),
                        (long) r.blocks() * OnlineFacts.BLOCK,
                        (long) r.blocks() * OnlineFacts.BLOCK))
                .toList();
    }

    FakeDatabase copy() {
        FakeDatabase copy = new FakeDatabase(oid, name, allowsConnections);
        copy.relations.clear();
        copy.relations.addAll(relations);
        copy.invalid = invalid;
        return copy;
    }
}
