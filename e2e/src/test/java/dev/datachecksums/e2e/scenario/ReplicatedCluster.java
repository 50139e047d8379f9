package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.testbed.PostgresInstance;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.VolumeReport;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A primary, pod 0, and two standbys that stream from it, each made by pg_basebackup at its first start. */
final class ReplicatedCluster {
    static final int NODES = 3;

    private static final Duration WITHIN = Duration.ofMinutes(4);

    /** The first argument is the name of the set, and of its service. */
    private static final String SERVE = """
            set -eu
            if [ ! -s "$PGDATA/PG_VERSION" ]; then
              if [ "${HOSTNAME##*-}" = 0 ]; then
                mkdir -p -m 700 "$PGDATA.new"
                printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
                initdb -N -U postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 \
                  -E UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS -D "$PGDATA.new"
                printf 'host all all all scram-sha-256\nhost replication all all scram-sha-256\n' >>"$PGDATA.new/pg_hba.conf"
              else
                export PGPASSWORD="$POSTGRES_PASSWORD"
                until rm -rf "$PGDATA.new" && pg_basebackup -d "host=$1-0.$1 user=postgres connect_timeout=5" -R -X stream -c fast -D "$PGDATA.new"; do
                  sleep 1
                done
              fi
              mv "$PGDATA.new" "$PGDATA"
            fi
            exec postgres -D "$PGDATA" -c listen_addresses='*' -c wal_keep_size=256MB
            """;

    private final Database primary;

    private ReplicatedCluster(Database primary) {
        this.primary = primary;
    }

    static ReplicatedCluster create(Cluster cluster, String name) {
        UnaryOperator<StatefulSet> three = set -> new StatefulSetBuilder(set)
                .editSpec()
                .withReplicas(NODES)
                .endSpec()
                .build();
        ReplicatedCluster made = new ReplicatedCluster(
                cluster.create(PostgresSpec.named(name).withCommand("sh", "-c", SERVE, "sh", name), three));
        made.awaitStreaming();
        return made;
    }

    Database primary() {
        return primary;
    }

    List<PostgresInstance> nodes() {
        return IntStream.range(0, NODES).mapToObj(n -> primary.server().node(n)).toList();
    }

    void awaitStreaming() {
        nodes().forEach(PostgresInstance::awaitReady);
        await("standbys stream").atMost(WITHIN).ignoreExceptions().until(this::streaming, n -> n == NODES - 1);
    }

    int streaming() {
        return Integer.parseInt(
                primary.server().query("select count(*) from pg_stat_replication where state = 'streaming'"));
    }

    List<String> words() {
        return nodes().stream().map(PostgresInstance::dataChecksums).toList();
    }

    /** Every node's files, after a clean stop; and all serve and stream again. */
    void assertWhole(String checksums) {
        awaitStreaming();
        assertThat(words()).containsOnly(checksums);
        primary.server().scale(0);
        for (PostgresInstance node : nodes()) {
            VolumeReport report = node.inspect();
            assertThat(report.checksumVersion()).as(node.podName()).isEqualTo(checksums.equals("on") ? 1 : 0);
            assertThat(report.interlocked()).as(node.podName()).isFalse();
            assertThat(report.files()).contains("pg_wal").doesNotContain("pg_wal.dck", "postgresql.auto.conf.dck");
            if (checksums.equals("on")) {
                assertThat(report.checkExit()).as(report.check()).isZero();
                assertThat(report.badChecksums()).isZero();
            }
        }
        primary.server().scale(NODES);
        awaitStreaming();
    }
}
