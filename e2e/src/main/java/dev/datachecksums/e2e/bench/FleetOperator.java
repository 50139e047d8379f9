package dev.datachecksums.e2e.bench;

import dev.datachecksums.operator.OperatorApp;
import dev.datachecksums.operator.Options;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.HeldSession;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerTarget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** The operator as it is, but for its servers: each answers after five milliseconds that its checksums are on. */
final class FleetOperator {
    static final String RUNNING = "running on ";

    private FleetOperator() {}

    /** A process of its own, so that its memory and processor time are nobody else's. */
    public static void main(String[] args) {
        KubernetesClient client = OperatorApp.client();
        OperatorApp app = OperatorApp.start(
                client, Options.parse(List.of(args), Map.of()), Clock.tickMillis(ZoneOffset.UTC), new Simulated());
        System.out.println(RUNNING + app.metricsPort());
    }

    private static final class Simulated implements PostgresServer {
        private static final Duration ANSWER = Duration.ofMillis(5);

        @Override
        public ServerFacts observe(ServerTarget target) {
            Waits.pause(ANSWER);
            String host = target.address().host();
            return new Servers()
                    .observedAt(Clock.systemUTC().instant())
                    .checksums(ChecksumState.ON)
                    .system(Integer.toUnsignedString(host.hashCode()))
                    .address(host)
                    .checksumFailures(Answer.given(List.of(
                            new ServerFacts.ChecksumFailures(null, 0, null),
                            new ServerFacts.ChecksumFailures("postgres", 0, null))))
                    .build();
        }

        @Override
        public HeldSession hold(ServerTarget target) {
            throw new UnsupportedOperationException("nothing is converted in this bench");
        }
    }
}
