package dev.datachecksums.operator.telemetry;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/** How the operator writes its log: lines for people, or one JSON object a line. */
public enum LogFormat {
    /** As {@link LogConfigurator} has it. */
    TEXT,
    /** See {@link JsonLines}. */
    JSON;

    /** From now on everything that is logged has this form. */
    public void apply() {
        if (this == TEXT) {
            return;
        }
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> stream) {
                JsonLines lines = new JsonLines();
                lines.setContext(context);
                lines.start();
                stream.stop();
                stream.setEncoder(lines);
                stream.start();
            }
        }
    }
}
