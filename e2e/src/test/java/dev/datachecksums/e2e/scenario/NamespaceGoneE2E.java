package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.datachecksums.e2e.testbed.OperatorHandle;
import dev.datachecksums.e2e.testbed.Operators;
import dev.datachecksums.e2e.testbed.PostgresSpec;
import dev.datachecksums.e2e.testbed.Testbed;
import dev.datachecksums.e2e.testbed.Testbeds;
import dev.datachecksums.operator.Main;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A namespace is deleted with all that is in it, in the middle of a conversion: neither of our finalizers keeps it. */
@Tag("twice")
class NamespaceGoneE2E {
    private static final String[] FLAGS = {
        "--leader-election=false", "--converting-interval=1s", "--blocked-interval=1s"
    };

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingOfOursKeepsIt() throws Exception {
        try (Testbed testbed = Testbeds.open();
                // Of another namespace, whose rights do not go with this one.
                OperatorHandle operator = Operators.through(testbed.kubeconfig(), Main.class, testbed, FLAGS)) {
            operator.start();
            Database database =
                    new Database(testbed, testbed.createReady(Tools.on(PostgresSpec.named("doomed")))).filled(96);
            database.flag("hold").declare();
            database.awaitFlag("running");
            assertThat(database.held()).isTrue();
            var namespace = testbed.client().namespaces().withName(testbed.namespace());
            namespace.delete();
            try {
                await().atMost(Duration.ofMinutes(4)).until(() -> namespace.get() == null);
            } catch (ConditionTimeoutException e) {
                throw new AssertionError("it is kept:\n" + testbed.dump() + operator.log(), e);
            }
        }
    }
}
