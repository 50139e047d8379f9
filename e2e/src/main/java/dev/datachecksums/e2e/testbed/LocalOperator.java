package dev.datachecksums.e2e.testbed;

import dev.datachecksums.operator.OperatorApp;
import dev.datachecksums.operator.Options;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operator in this JVM: the quickest to start. It cannot be killed. */
final class LocalOperator implements OperatorHandle {
    private final Testbed testbed;
    private final Options options;
    private @Nullable KubernetesClient client;
    private @Nullable OperatorApp app;

    LocalOperator(Testbed testbed, List<String> flags) {
        this.testbed = testbed;
        this.options = Options.parse(flags, Map.of());
    }

    @Override
    public void start() {
        KubernetesClient own = testbed.operatorClient();
        client = own;
        app = OperatorApp.start(own, options);
    }

    @Override
    public void stop() {
        OperatorApp running = app;
        KubernetesClient own = client;
        app = null;
        client = null;
        if (running != null && own != null) {
            running.close();
            own.close();
        }
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("only an operator that is a process of its own can be killed");
    }

    @Override
    public boolean running() {
        return app != null;
    }

    @Override
    public String metricsAddress() {
        return "127.0.0.1:" + Objects.requireNonNull(app).metricsPort();
    }

    @Override
    public String log() {
        return "(in this JVM's own output)";
    }
}
