package dev.datachecksums.operator.health;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** How the SDK's watches are. */
public final class Watches {
    private Watches() {}

    /** Of every controller, for every namespace. */
    public static Collection<Health.Watch> of(Operator operator) {
        List<Health.Watch> all = new ArrayList<>();
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            controller
                    .getControllerHealthInfo()
                    .informerEventSourceHealthIndicators()
                    .forEach((name, source) -> add(all, name, source));
        }
        return all;
    }

    private static void add(List<Health.Watch> all, String name, InformerWrappingEventSourceHealthIndicator<?> source) {
        for (InformerHealthIndicator i : source.informerHealthIndicators().values()) {
            all.add(new Health.Watch(name, i.isRunning(), i.hasSynced()));
        }
    }
}
