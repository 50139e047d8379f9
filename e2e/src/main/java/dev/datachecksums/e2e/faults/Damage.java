package dev.datachecksums.e2e.faults;

import dev.datachecksums.e2e.testbed.EmbeddedTestbed;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;

/** Does what a kind of fault is. */
final class Damage {
    /** The operator waits five seconds for the API server, and fifteen for the database. */
    private static final Duration LONGER_THAN_API = Duration.ofSeconds(6);

    private static final Duration LONGER_THAN_SQL = Duration.ofSeconds(17);
    private static final Duration AWAY = Duration.ofSeconds(3);
    private static final Duration JUMP = Duration.ofHours(1);

    private final World world;

    Damage(World world) {
        this.world = world;
    }

    /** False if there was nobody to do it to. */
    boolean possible(Kind kind) {
        return switch (kind) {
            case JOB_KILLED, JOB_POD_DELETED, JOB_POD_FORCE_DELETED, JOB_DELETED ->
                world.jobPod().isPresent();
            case DATABASE_POD_DELETED, DATABASE_POD_FORCE_DELETED, POSTMASTER_KILLED, ALL_KILLED ->
                world.server.pod().isPresent();
            case NODE_AGENT_STOPPED -> world.testbed instanceof EmbeddedTestbed;
            default -> true;
        };
    }

    /** Does it, and says what becomes of the call that it strikes. */
    Effect strike(Kind kind) {
        return switch (kind) {
            case OPERATOR_KILLED -> {
                world.killOperator();
                yield Effect.DROP;
            }
            case ALL_KILLED -> {
                world.killOperator();
                besides(Kind.JOB_KILLED);
                besides(Kind.JOB_POD_FORCE_DELETED);
                besides(Kind.DATABASE_POD_FORCE_DELETED);
                yield Effect.DROP;
            }
            case API_CONFLICT -> new Effect.Refuse(409);
            case API_TOO_MANY_REQUESTS -> new Effect.Refuse(429);
            case API_INTERNAL_ERROR -> new Effect.Refuse(500);
            case API_HANGS -> new Effect.Hang(LONGER_THAN_API);
            case SQL_HANGS -> new Effect.Hang(LONGER_THAN_SQL);
            case API_RESET, SQL_RESET -> Effect.DROP;
            default -> {
                besides(kind);
                yield Effect.PASS;
            }
        };
    }

    private void besides(Kind kind) {
        KubernetesClient client = world.testbed.client();
        String namespace = world.testbed.namespace();
        Optional<Pod> job = world.jobPod();
        String database = world.server.podName();
        switch (kind) {
            // It waits for what it is at, and so perhaps for us.
            case OPERATOR_TERMINATED -> new Thread(world::stopOperator, "terminator").start();
            case JOB_KILLED -> world.killJob();
            case JOB_POD_DELETED ->
                job.ifPresent(p -> client.resource(p).inNamespace(namespace).delete());
            case JOB_POD_FORCE_DELETED ->
                job.ifPresent(p -> world.testbed.forceDelete(p.getMetadata().getName()));
            case JOB_DELETED ->
                job.map(p -> p.getMetadata().getOwnerReferences().get(0).getName())
                        .ifPresent(n -> client.batch()
                                .v1()
                                .jobs()
                                .inNamespace(namespace)
                                .withName(n)
                                .delete());
            case DATABASE_POD_DELETED ->
                client.pods().inNamespace(namespace).withName(database).delete();
            case DATABASE_POD_FORCE_DELETED -> world.testbed.forceDelete(database);
            case POSTMASTER_KILLED -> {
                try {
                    world.testbed.killContainer(database, world.server.container());
                } catch (IllegalStateException e) {
                    // It has stopped already: that is as good.
                    return;
                }
            }
            case NODE_AGENT_STOPPED -> {
                if (world.testbed instanceof EmbeddedTestbed embedded) {
                    embedded.stopNodeAgentFor(Duration.ofSeconds(5));
                }
            }
            case API_ERRORS -> world.api.failFor(AWAY);
            case API_STOPPED -> world.api.goAwayFor(AWAY);
            case WATCHES_DROPPED -> world.api.dropStreams();
            case SQL_ALL_RESET -> world.sql.reset();
            case SQL_STALLED -> world.sql.stallFor(Duration.ofSeconds(8));
            case SQL_SLOW -> world.sql.slowDown(Duration.ofMillis(100));
            case CLOCK_FORWARD -> world.shiftClock(JUMP);
            case CLOCK_BACK -> world.shiftClock(JUMP.negated());
            default -> throw new IllegalStateException("nobody does " + kind);
        }
    }
}
