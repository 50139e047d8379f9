package dev.datachecksums.e2e.faults;

import dev.datachecksums.operator.OperatorApp;
import dev.datachecksums.operator.Options;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operator's process, with a clock that a file can set forward or back while it runs. */
public final class ShiftedOperator {
    /** The flag that names the file: it holds the seconds by which the clock is ahead. */
    static final String FLAG = "--clock-file=";

    private static final Logger LOG = LoggerFactory.getLogger(ShiftedOperator.class);

    private ShiftedOperator() {}

    /** Runs until it is told to stop. */
    public static void main(String[] args) {
        List<String> flags = new ArrayList<>(List.of(args));
        Path file = flags.stream()
                .filter(f -> f.startsWith(FLAG))
                .map(f -> Path.of(f.substring(FLAG.length())))
                .findFirst()
                .orElseThrow();
        flags.removeIf(f -> f.startsWith(FLAG));
        KubernetesClient client = new KubernetesClientBuilder().build();
        OperatorApp app;
        try {
            app = OperatorApp.start(client, Options.parse(flags, System.getenv()), new Shifted(file));
        } catch (RuntimeException e) {
            LOG.error("cannot start", e);
            System.exit(1);
            return;
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            app.close();
                            client.close();
                        },
                        "stop"));
        LOG.info("running; metrics on port {}, health on port {}", app.metricsPort(), app.healthPort());
    }

    private static final class Shifted extends Clock {
        private final Path file;
        private final Clock system = Clock.systemUTC();

        Shifted(Path file) {
            this.file = file;
        }

        @Override
        public Instant instant() {
            try {
                String ahead = Files.exists(file) ? Files.readString(file).strip() : "";
                return system.instant().plusSeconds(ahead.isEmpty() ? 0 : Long.parseLong(ahead));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public ZoneId getZone() {
            return system.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
