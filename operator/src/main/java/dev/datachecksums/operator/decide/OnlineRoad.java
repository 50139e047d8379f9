package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Durations;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OnlinePolicy;
import dev.datachecksums.api.v1alpha1.Phase;
import dev.datachecksums.operator.decide.online.Estimate;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.offline.JobNames;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.Throttle;
import java.time.Duration;
import java.util.Optional;

/** The online road, before anything is under way: whether it is open, what it costs, and its beginning. */
final class OnlineRoad {

    private OnlineRoad() {}

    /** Whether it is the one to take: the server is asked for its functions, never for its version. */
    static boolean open(Observation o, ServerFacts server) {
        return o.spec().policy().method() != Method.OFFLINE && server.onlineFunctions();
    }

    /** What the spec asks for. */
    static Throttle asked(Observation o) {
        OnlinePolicy policy = o.spec().policy().online();
        Integer limit = policy.costLimit();
        return new Throttle(Durations.parse(policy.costDelay()), limit == null ? 100 : limit);
    }

    static Plan plan(Observation o, ServerFacts server) {
        DesiredState to = o.spec().state();
        long bytes = server.totalBytes().value().orElse(0L);
        Throttle throttle = asked(o);
        Estimate estimate = estimate(o, to, bytes, throttle);
        String how = to == DesiredState.ENABLED
                ? "pg_enable_data_checksums(): every page is written anew while the server serves; "
                        + estimate.words(throttle)
                : "pg_disable_data_checksums(): no page is touched, the server serves meanwhile";
        int standbys = server.streamingStandbys().value().orElse(0);
        String risk = to == DesiredState.ENABLED && standbys > 0
                ? "; about one data size of WAL goes to " + standbys + (standbys == 1 ? " standby" : " standbys")
                        + ", which may fall behind meanwhile"
                : "";
        return new Plan(
                ConversionMethod.ONLINE,
                to,
                how + risk,
                bytes,
                estimate.duration(),
                Duration.ZERO,
                false,
                Optional.empty());
    }

    private static Estimate estimate(Observation o, DesiredState to, long bytes, Throttle throttle) {
        OnlineFacts.Costs costs = o.online().seen().map(v -> v.facts().costs()).orElse(OnlineFacts.Costs.DEFAULT);
        return Estimate.of(to, bytes, throttle, costs, Optional.empty());
    }

    /** A throttle that makes days of it is an event of its own: it may not be what was meant. */
    static Verdict begin(Observation o, Plan plan) {
        boolean tooLong = estimate(o, plan.to(), plan.bytes(), asked(o)).tooLong();
        return Verdict.of(
                        Phase.CONVERTING,
                        tooLong ? "ThrottleTooTight" : "Beginning",
                        tooLong
                                ? plan.reason()
                                : "the server is told to switch its checksums while it serves" + meanwhile(plan),
                        new Decision.BeginOnline(conversion(o, plan.to(), plan.bytes()), plan))
                .with(plan);
    }

    /** What a user may run into. */
    private static String meanwhile(Plan plan) {
        return plan.to() == DesiredState.ENABLED
                ? "; until it is done it refuses CREATE DATABASE ... STRATEGY file_copy"
                : "";
    }

    static ConversionStatus conversion(Observation o, DesiredState to, long bytes) {
        return new ConversionStatus(
                JobNames.convert(o.resource().name(), o.resource().uid(), o.at()),
                to,
                ConversionMethod.ONLINE,
                o.at().toString(),
                null,
                null,
                bytes == 0 ? null : Long.valueOf(bytes),
                null,
                null,
                null);
    }
}
