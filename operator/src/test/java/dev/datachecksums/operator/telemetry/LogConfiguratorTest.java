package dev.datachecksums.operator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What logback finds by itself in the operator's process, where no file says anything else. */
class LogConfiguratorTest {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);

    @Test
    void ourOwnDecisionsAreSaidAndTheLibrariesOnlyWarn() {
        assertThat(context.getLogger("dev.datachecksums.operator.Main").getEffectiveLevel())
                .isEqualTo(Level.INFO);
        assertThat(context.getLogger("io.fabric8.kubernetes.client").getEffectiveLevel())
                .isEqualTo(Level.WARN);
        assertThat(context.getLogger("io.javaoperatorsdk.operator").getEffectiveLevel())
                .isEqualTo(Level.WARN);
    }

    @Test
    void aLineNamesTheResourceAndTheMoment() {
        LoggingEvent event = new LoggingEvent(
                "test",
                context.getLogger("dev.datachecksums.operator.act.Executor"),
                Level.INFO,
                "stopped {}",
                null,
                new Object[] {"it"});
        event.setInstant(Instant.parse("2026-11-30T01:02:03.004Z"));
        event.setMDCPropertyMap(Map.of("resource", "shop/db", "generation", "4", "reconcile", "0badcafe"));
        OutputStreamAppender<?> console = (OutputStreamAppender<?>) root.getAppender("console");
        PatternLayoutEncoder lines = (PatternLayoutEncoder) console.getEncoder();
        assertThat(new String(lines.encode(event), StandardCharsets.UTF_8))
                .isEqualTo("2026-11-30T01:02:03.004Z INFO  Executor resource=shop/db generation=4 reconcile=0badcafe"
                        + "  stopped it\n");
    }
}
