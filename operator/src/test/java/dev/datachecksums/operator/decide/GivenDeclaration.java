package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.CredentialsSpec;
import dev.datachecksums.api.v1alpha1.DataChecksumsSpec;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.InstanceRef;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflinePolicy;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.api.v1alpha1.OnDrift;
import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import dev.datachecksums.api.v1alpha1.PolicySpec;
import dev.datachecksums.api.v1alpha1.SyncMethod;
import dev.datachecksums.api.v1alpha1.TlsMode;
import dev.datachecksums.api.v1alpha1.TlsSpec;
import dev.datachecksums.api.v1alpha1.WindowScope;
import dev.datachecksums.api.v1alpha1.WindowSpec;
import dev.datachecksums.operator.observe.Observation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the declaration of an observation for tests. By default: a resource {@code orders} that declares Enabled for the StatefulSet
 * {@code orders-db}.
 *
 * @param <T> who builds the rest
 */
public abstract class GivenDeclaration<T extends GivenDeclaration<T>> {
    private long generation = 1;
    private boolean deleting;
    private boolean finalizer;
    private Map<String, String> annotations = Map.of();
    private DesiredState state = DesiredState.ENABLED;
    private boolean suspend;
    private @Nullable InstanceRef instance = new InstanceRef("apps/v1", "StatefulSet", "orders-db", null);
    private Method method = Method.PREFER_ONLINE;
    private OnDrift onDrift = OnDrift.CORRECT;
    private @Nullable WindowSpec window;
    private WindowScope scope = WindowScope.SWITCH;
    private int attempts = 3;
    private OfflineStrategy strategy = OfflineStrategy.AUTO;
    private String maxOutage = "30m";
    private @Nullable String minFreeSpace;
    private @Nullable String maxCopyRate;
    private OnlinePolicy online = OnlinePolicy.DEFAULT;

    GivenDeclaration() {}

    abstract T self();

    public T generation(long n) {
        this.generation = n;
        return self();
    }

    /** Marked for deletion. */
    public T deleting() {
        this.deleting = true;
        return self();
    }

    /** Carries our finalizer. */
    public T finalizer(boolean there) {
        this.finalizer = there;
        return self();
    }

    /** The resource carries this annotation. */
    public T annotation(String key, String value) {
        this.annotations = Map.of(key, value);
        return self();
    }

    public T state(DesiredState s) {
        this.state = s;
        return self();
    }

    public T suspended() {
        this.suspend = true;
        return self();
    }

    public T method(Method m) {
        this.method = m;
        return self();
    }

    public T onDrift(OnDrift d) {
        this.onDrift = d;
        return self();
    }

    public T window(String schedule, String duration, String zone) {
        this.window = new WindowSpec(schedule, duration, zone, scope);
        return self();
    }

    /** What the window that is given next governs. */
    public T scope(WindowScope what) {
        this.scope = what;
        return self();
    }

    public T attempts(int n) {
        this.attempts = n;
        return self();
    }

    public T strategy(OfflineStrategy s) {
        this.strategy = s;
        return self();
    }

    public T maxOutage(String d) {
        this.maxOutage = d;
        return self();
    }

    public T minFreeSpace(String quantity) {
        this.minFreeSpace = quantity;
        return self();
    }

    public T maxCopyRate(String quantity) {
        this.maxCopyRate = quantity;
        return self();
    }

    T online(OnlinePolicy policy) {
        this.online = policy;
        return self();
    }

    T withoutInstance() {
        this.instance = null;
        return self();
    }

    long generation() {
        return generation;
    }

    Observation.Resource resource() {
        return new Observation.Resource(
                "shop",
                "orders",
                "uid-orders",
                generation,
                Observations.NOW.minusSeconds(3600),
                deleting,
                finalizer,
                annotations);
    }

    DataChecksumsSpec spec() {
        return new DataChecksumsSpec(
                state,
                suspend,
                instance,
                new ConnectionSpec(
                        null,
                        5432,
                        "postgres",
                        new CredentialsSpec("orders-superuser", "username", "password"),
                        new TlsSpec(TlsMode.PREFER, null, null)),
                new PolicySpec(
                        method,
                        onDrift,
                        window,
                        "10m",
                        attempts,
                        online,
                        new OfflinePolicy(strategy, maxOutage, SyncMethod.FSYNC, maxCopyRate, minFreeSpace)));
    }
}
