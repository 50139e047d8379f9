package dev.datachecksums.operator;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.operator.act.Executor;
import dev.datachecksums.operator.act.OfflineActs;
import dev.datachecksums.operator.act.OnlineActs;
import dev.datachecksums.operator.act.OrphanSweep;
import dev.datachecksums.operator.act.Resources;
import dev.datachecksums.operator.act.Sessions;
import dev.datachecksums.operator.decide.Decider;
import dev.datachecksums.operator.decide.check.Gates;
import dev.datachecksums.operator.health.Health;
import dev.datachecksums.operator.health.Looks;
import dev.datachecksums.operator.health.Watches;
import dev.datachecksums.operator.instance.WorkloadDriver;
import dev.datachecksums.operator.leader.Leadership;
import dev.datachecksums.operator.observe.ApiProblem;
import dev.datachecksums.operator.observe.Observer;
import dev.datachecksums.operator.observe.OnlineWatch;
import dev.datachecksums.operator.observe.StandbyWatch;
import dev.datachecksums.operator.offline.ConversionJob;
import dev.datachecksums.operator.offline.JobGateway;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.offline.JobObserver;
import dev.datachecksums.operator.offline.LogFollower;
import dev.datachecksums.operator.offline.RememberedJobs;
import dev.datachecksums.operator.postgres.Interlock;
import dev.datachecksums.operator.postgres.JdbcPostgresServer;
import dev.datachecksums.operator.postgres.PostgresServer;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.online.JdbcOnlineServer;
import dev.datachecksums.operator.postgres.online.OnlineServer;
import dev.datachecksums.operator.postgres.standby.JdbcStandbyServer;
import dev.datachecksums.operator.postgres.standby.StandbyServer;
import dev.datachecksums.operator.reconcile.CachedAsItIs;
import dev.datachecksums.operator.reconcile.DataChecksumsReconciler;
import dev.datachecksums.operator.reconcile.Pace;
import dev.datachecksums.operator.reconcile.Wakers;
import dev.datachecksums.operator.status.StatusWriter;
import dev.datachecksums.operator.telemetry.Events;
import dev.datachecksums.operator.telemetry.HttpEndpoints;
import dev.datachecksums.operator.telemetry.Registry;
import dev.datachecksums.operator.telemetry.ResourceMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The operator, wired: everything that it is made of is named here once. */
public final class OperatorApp implements AutoCloseable {

    /** A write to a large, busy server's disk is bounded by this; the shutdown after it is short all the same. */
    private static final Duration CHECKPOINT_LIMIT = Duration.ofMinutes(10);
    /** A reconcile in progress may end its act; then the process goes. */
    private static final Duration TERMINATION = Duration.ofSeconds(20);

    private final Operator operator;
    private final Sessions sessions;
    private final LogFollower follower;
    private final HttpEndpoints http;
    private final Health health;
    private final Runnable rest;
    private final @Nullable Leadership leadership;

    private OperatorApp(
            Operator operator,
            Sessions sessions,
            LogFollower follower,
            HttpEndpoints http,
            Health health,
            Runnable rest,
            @Nullable Leadership leadership) {
        this.operator = operator;
        this.health = health;
        this.rest = rest;
        this.leadership = leadership;
        this.sessions = sessions;
        this.follower = follower;
        this.http = http;
    }

    /**
     * The client for the API server of $KUBECONFIG, or of the pod that this runs in. It knows the types that it is asked
     * for: to search the class path for every model, as it would by itself, loads a thousand classes that stay resident.
     */
    public static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(new KubernetesSerialization(new ObjectMapper(), false))
                .build();
    }

    /** Starts the operator against that API server; the client stays the caller's. */
    public static OperatorApp start(KubernetesClient client, Options options) {
        // What is written into a status has milliseconds.
        return start(client, options, Clock.tickMillis(ZoneOffset.UTC));
    }

    /** The same by another clock. */
    public static OperatorApp start(KubernetesClient client, Options options, Clock clock) {
        return start(client, options, clock, new JdbcPostgresServer(clock));
    }

    /** The same, with servers that are asked in another way: a bench has no thousand of them. */
    public static OperatorApp start(KubernetesClient client, Options options, Clock clock, PostgresServer postgres) {
        KubernetesClient api = ApiProblem.bounded(client);
        PrometheusMeterRegistry registry = Registry.create();
        ResourceMetrics series = new ResourceMetrics(System.getProperty("dck.version", "unknown"));
        registry.getPrometheusRegistry().register(series);

        Wakers wakers = new Wakers();
        Sessions sessions = new Sessions(postgres, clock, CHECKPOINT_LIMIT);
        WorkloadDriver driver = new WorkloadDriver(client, JobNames.RESOURCE_UID, Interlock::refusesIn);
        JobGateway jobs = new JobGateway(client);
        LogFollower follower = new LogFollower(client, wakers::wake, clock);
        RememberedJobs remembered = new RememberedJobs(
                new JobObserver(jobs, jobs, follower, clock),
                new JobObserver(wakers.cachedJobs(), jobs, follower, clock),
                follower);
        Resources resources = new Resources(api);
        OnlineServer online = new JdbcOnlineServer(clock, options.showQueries());
        StandbyServer standby = new JdbcStandbyServer(clock);
        Observer observer = new Observer(
                api,
                driver,
                postgres,
                remembered,
                sessions::facts,
                new OnlineWatch(online),
                new StandbyWatch(standby, clock),
                options.externalHosts(),
                Timeouts.DEFAULT,
                clock);
        OfflineActs offline = new OfflineActs(
                driver,
                ConversionJob.inPlace(),
                ConversionJob.temporaryStandby(),
                standby,
                jobs,
                remembered,
                sessions,
                postgres,
                observer,
                new Interlock("datachecksums-operator"),
                clock,
                r -> wakers.wake(r.uid()));
        Pace pace = new Pace(
                options.converting(),
                options.blocked(),
                options.resting(),
                () -> ThreadLocalRandom.current().nextDouble());
        Looks looks = new Looks(System::nanoTime);
        AtomicBoolean resting = new AtomicBoolean();
        // Both need to know whether this operator acts, and so come after what says it: until then there is nothing to
        // do.
        AtomicReference<Runnable> sweep = new AtomicReference<>(() -> {});
        AtomicReference<Runnable> forgetAll = new AtomicReference<>(() -> {});
        Leadership leadership = options.leaderElection()
                .map(c -> Leadership.of(
                        api,
                        c.namespace().isEmpty() ? client.getNamespace() : c.namespace(),
                        c.identity(),
                        clock,
                        listener(wakers, sweep, forgetAll)))
                .orElse(null);
        BooleanSupplier acts = () -> !resting.get() && (leadership == null || leadership.held());
        DataChecksumsReconciler reconciler = new DataChecksumsReconciler(
                resources,
                observer,
                new Decider(Gates.standard()),
                new Executor(resources, offline, new OnlineActs(online, observer)),
                new StatusWriter(api),
                new Events(api, clock),
                series,
                pace,
                wakers,
                uid -> {
                    sessions.drop(uid);
                    observer.forget(uid);
                },
                looks,
                acts);
        forgetAll.set(reconciler::forgetAll);
        OrphanSweep orphans =
                new OrphanSweep(client, driver, jobs, ConversionJob.temporaryStandby(), options.namespaces(), acts);
        sweep.set(orphans::start);

        Metrics metrics =
                MicrometerMetricsV2.newBuilder(registry).withNamespaceAsTag().build();
        Operator operator = new Operator(o -> o.withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withUseSSAToPatchPrimaryResource(false)
                .withResourceCloner(new CachedAsItIs())
                .withSSABasedCreateUpdateMatchForDependentResources(false)
                .withConcurrentReconciliationThreads(options.maxConcurrent())
                .withReconciliationTerminationTimeout(TERMINATION)
                .withMetrics(metrics));
        operator.register(reconciler, c -> configure(c, options));
        Health health = new Health(
                () -> Watches.of(operator),
                looks::stuck,
                () -> leadership == null ? Optional.empty() : leadership.unable());
        HttpEndpoints http = new HttpEndpoints(
                options.metricsPort(),
                options.metricsTls(),
                options.healthPort(),
                registry,
                health::notAlive,
                health::notReady);
        ApiWait.until(api);
        operator.start();
        health.started();
        if (leadership != null) {
            leadership.start();
        } else {
            orphans.start();
        }
        return new OperatorApp(operator, sessions, follower, http, health, () -> resting.set(true), leadership);
    }

    private static Leadership.Listener listener(
            Wakers wakers, AtomicReference<Runnable> sweep, AtomicReference<Runnable> forgetAll) {
        return new Leadership.Listener() {
            @Override
            public void gained() {
                wakers.wakeAll();
                requireNonNull(sweep.get()).run();
            }

            @Override
            public void lost() {
                requireNonNull(forgetAll.get()).run();
            }
        };
    }

    private static void configure(ControllerConfigurationOverrider<DataChecksums> c, Options options) {
        // Without a Cleaner, so that the SDK puts no finalizer on everything: ours is there only while it is needed.
        c.withTriggerReconcilerOnAllEvents(true)
                .withRetry(new GenericRetry()
                        .setInitialInterval(500)
                        .setIntervalMultiplier(1.5)
                        .setMaxInterval(30_000)
                        .withoutMaxAttempts());
        if (options.namespaces().isEmpty()) {
            c.watchingAllNamespaces();
        } else {
            c.settingNamespaces(options.namespaces());
        }
    }

    /** Port of GET /metrics. */
    public int metricsPort() {
        return http.metricsPort();
    }

    /** Port of GET /healthz and /readyz. */
    public int healthPort() {
        return http.healthPort();
    }

    /**
     * Begins no further look, lets those that are under way come to their end (at most {@link #TERMINATION}), and only
     * then gives the right to act to another.
     */
    @Override
    public void close() {
        health.stopping();
        rest.run();
        operator.stop();
        if (leadership != null) {
            leadership.close();
        }
        sessions.close();
        follower.close();
        http.close();
    }
}
