package dev.datachecksums.operator.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/**
 * The log without a file of its own. Logback finds it as a service and asks it after a {@code logback.xml}, which so still
 * has the last word where somebody mounts one. The reason that there is none in the jar: reading XML loads some 500 classes
 * that nothing else needs, and those stay resident.
 */
@ConfiguratorRank(ConfiguratorRank.NOMINAL)
public final class LogConfigurator extends ContextAwareBase implements Configurator {

    private static final String TEXT =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSX, UTC} %-5level %logger{0} resource=%X{resource:--}"
                    + " generation=%X{generation:--} reconcile=%X{reconcile:--} %kvp %msg%n";

    private static final Map<String, Level> LEVELS = Map.of(
            Logger.ROOT_LOGGER_NAME,
            Level.INFO,
            "io.javaoperatorsdk",
            Level.WARN,
            "io.fabric8",
            Level.WARN,
            // The SDK's chatter at every start: a line about its own default configuration, and one about our v1alpha1.
            "Default ConfigurationService implementation",
            Level.WARN,
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
            Level.ERROR);

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setPattern(TEXT);
        lines.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("console");
        console.setEncoder(lines);
        console.start();
        LEVELS.forEach((name, level) -> context.getLogger(name).setLevel(level));
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
