package dev.datachecksums.operator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A line of the log as a machine reads it. */
class LogFormatTest {
    @Test
    void aLineIsOneObjectWhateverItHolds() throws IOException {
        LoggerContext context = new LoggerContext();
        LoggingEvent event = new LoggingEvent(
                "test",
                context.getLogger("dev.datachecksums.Thing"),
                Level.WARN,
                "two\nlines and a \"{}\"",
                new IllegalStateException("why"),
                new Object[] {"quote"});
        event.setInstant(Instant.parse("2026-11-30T01:02:03.004Z"));
        event.setMDCPropertyMap(Map.of("resource", "shop/db", "generation", "4"));
        String line = new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
        assertThat(line).endsWith("\n").containsOnlyOnce("\n");
        JsonNode read = new ObjectMapper().readTree(line);
        assertThat(read.path("time").asText()).isEqualTo("2026-11-30T01:02:03.004Z");
        assertThat(read.path("level").asText()).isEqualTo("WARN");
        assertThat(read.path("logger").asText()).isEqualTo("dev.datachecksums.Thing");
        assertThat(read.path("message").asText()).isEqualTo("two\nlines and a \"quote\"");
        assertThat(read.path("resource").asText()).isEqualTo("shop/db");
        assertThat(read.path("generation").asText()).isEqualTo("4");
        assertThat(read.path("error").asText()).contains("IllegalStateException: why", "LogFormatTest");
    }
}
