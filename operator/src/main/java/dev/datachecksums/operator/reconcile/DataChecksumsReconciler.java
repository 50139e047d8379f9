package dev.datachecksums.operator.reconcile;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.operator.act.Executor;
import dev.datachecksums.operator.act.Outcome;
import dev.datachecksums.operator.act.Resources;
import dev.datachecksums.operator.decide.Decider;
import dev.datachecksums.operator.decide.Decision;
import dev.datachecksums.operator.decide.Verdict;
import dev.datachecksums.operator.health.Looks;
import dev.datachecksums.operator.observe.Declarations;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.Observer;
import dev.datachecksums.operator.status.StatusReport;
import dev.datachecksums.operator.status.StatusWriter;
import dev.datachecksums.operator.telemetry.Events;
import dev.datachecksums.operator.telemetry.ResourceMetrics;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Observe, decide, act, report; and nothing else. */
@ControllerConfiguration(informer = @Informer(comparableResourceVersions = DataChecksumsReconciler.WRITES_BY_THE_SDK))
public final class DataChecksumsReconciler implements Reconciler<DataChecksums> {

    private static final Logger LOG = LoggerFactory.getLogger(DataChecksumsReconciler.class);
    /**
     * Whether the SDK has to keep what it writes until an informer shows it. We write by ourselves; and the pool that it would
     * look through what is kept with has no thread of its own, so that one polls it a hundred times a second: 1.3 % of a core.
     */
    static final boolean WRITES_BY_THE_SDK = false;

    private static final String BY_KEY = "by-key";
    private static final Duration API_AWAY = Duration.ofSeconds(2);
    /** The SDK tries again what has thrown, after so long at the latest. */
    private static final Duration AFTER_ERROR = Duration.ofSeconds(30);

    private final Resources resources;
    private final Observer observer;
    private final Decider decider;
    private final Executor executor;
    private final StatusWriter writer;
    private final Events events;
    private final ResourceMetrics metrics;
    private final Pace pace;
    private final Wakers wakers;
    private final Consumer<String> forget;
    private final Looks looks;
    private final BooleanSupplier acts;
    private final Unchanged unchanged = new Unchanged();

    /**
     * With what it is made of.
     *
     * @param forget is called with the uid of a resource that has gone
     * @param acts whether this operator is the one that acts; asked before each look and again before each act
     */
    public DataChecksumsReconciler(
            Resources resources,
            Observer observer,
            Decider decider,
            Executor executor,
            StatusWriter writer,
            Events events,
            ResourceMetrics metrics,
            Pace pace,
            Wakers wakers,
            Consumer<String> forget,
            Looks looks,
            BooleanSupplier acts) {
        this.resources = resources;
        this.observer = observer;
        this.decider = decider;
        this.executor = executor;
        this.writer = writer;
        this.events = events;
        this.metrics = metrics;
        this.pace = pace;
        this.wakers = wakers;
        this.forget = forget;
        this.looks = looks;
        this.acts = acts;
    }

    @Override
    public List<EventSource<?, DataChecksums>> prepareEventSources(EventSourceContext<DataChecksums> context) {
        context.getPrimaryCache().addIndexer(BY_KEY, Declarations::keys);
        return wakers.eventSources(context);
    }

    @Override
    public UpdateControl<DataChecksums> reconcile(DataChecksums cached, Context<DataChecksums> context) {
        String namespace = cached.getMetadata().getNamespace();
        String name = cached.getMetadata().getName();
        String key = namespace + "/" + name;
        if (!acts.getAsBoolean()) {
            looks.forget(key);
            return UpdateControl.noUpdate();
        }
        looks.begin(key);
        UpdateControl<DataChecksums> control = null;
        try {
            control = look(cached, context);
            return control;
        } finally {
            // Nothing more is due for one that has gone, or that another operator looks after.
            if (control != null && control.getScheduleDelay().isEmpty()) {
                looks.forget(key);
            } else {
                looks.end(
                        key,
                        control == null
                                ? AFTER_ERROR
                                : Duration.ofMillis(control.getScheduleDelay().get()));
            }
        }
    }

    private UpdateControl<DataChecksums> look(DataChecksums cached, Context<DataChecksums> context) {
        String namespace = cached.getMetadata().getNamespace();
        String name = cached.getMetadata().getName();
        try {
            Optional<DataChecksums> now = unchanged.is(cached) ? Optional.of(cached) : resources.get(namespace, name);
            return reconcile(cached.getMetadata().getUid(), now, context);
        } catch (KubernetesClientException e) {
            // Not an error of ours: one line, and another look soon; the SDK's retry would back off to half a minute.
            LOG.warn(
                    "{}/{}: the Kubernetes API answered {}",
                    namespace,
                    name,
                    e.getCode() <= 0 ? "nothing" : "HTTP " + e.getCode());
            return UpdateControl.<DataChecksums>noUpdate().rescheduleAfter(API_AWAY);
        }
    }

    private UpdateControl<DataChecksums> reconcile(
            String uid, Optional<DataChecksums> now, Context<DataChecksums> context) {
        if (now.isEmpty() || now.get().getSpec() == null) {
            forget(uid);
            return UpdateControl.noUpdate();
        }
        wakers.know(now.get());
        MDC.put(
                "resource",
                now.get().getMetadata().getNamespace() + "/"
                        + now.get().getMetadata().getName());
        MDC.put("generation", String.valueOf(now.get().getMetadata().getGeneration()));
        MDC.put("reconcile", String.format("%08x", ThreadLocalRandom.current().nextInt()));
        try {
            Optional<Duration> next = step(now.get(), context);
            UpdateControl<DataChecksums> done = UpdateControl.noUpdate();
            return next.isEmpty() ? done : done.rescheduleAfter(next.get());
        } finally {
            MDC.remove("resource");
            MDC.remove("generation");
            MDC.remove("reconcile");
        }
    }

    /** When to look again; empty: this operator acts no more. */
    private Optional<Duration> step(DataChecksums d, Context<DataChecksums> context) {
        unchanged.forget(d.getMetadata().getUid());
        Observation observation =
                observer.observe(d, key -> context.getPrimaryCache().byIndex(BY_KEY, key));
        Verdict verdict = decider.decide(observation);
        if (!acts.getAsBoolean()) {
            // To observe takes its time, and the right to act may have gone meanwhile.
            return Optional.empty();
        }
        Outcome outcome = executor.execute(observation, verdict);
        if (!(verdict.decision() instanceof Decision.RemoveFinalizer)) {
            // Events first: whoever waits for a phase finds the event that explains it.
            events.tell(d, verdict);
            events.tell(d, observation);
            events.tell(d, outcome.notes());
            DataChecksumsStatus next = StatusReport.of(observation, verdict, outcome);
            events.tell(d, next);
            StatusWriter.Written written = writer.write(d, next, outcome.resourceVersion());
            if (written == StatusWriter.Written.STALE) {
                return Optional.of(Duration.ofMillis(1));
            }
            if (written == StatusWriter.Written.WRITTEN) {
                metrics.wrote();
            } else if (outcome.resourceVersion().isEmpty()) {
                unchanged.remember(d);
            }
            metrics.report(observation, next);
            if (outcome.problem().isEmpty()) {
                metrics.did(observation, verdict.decision());
            }
        }
        return Optional.of(pace.next(observation, verdict, outcome));
    }

    /** Forgets all that it remembers of the resources: another operator has acted, or may have. */
    public void forgetAll() {
        wakers.known().forEach(this::forget);
        unchanged.clear();
        looks.clear();
    }

    private void forget(String uid) {
        unchanged.forget(uid);
        forget.accept(uid);
        events.forget(uid);
        metrics.forget(uid);
        wakers.forget(uid);
    }
}
