package dev.datachecksums.operator.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * One JSON object a line: time, level, logger and message; resource and generation where it is about one; error, with
 * its stack, where there is one.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = new byte[0];

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("message", event.getFormattedMessage());
        line.putAll(new TreeMap<>(event.getMDCPropertyMap()));
        IThrowableProxy error = event.getThrowableProxy();
        if (error != null) {
            line.put("error", ThrowableProxyUtil.asString(error));
        }
        return (Serialization.asJson(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
