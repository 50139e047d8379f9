package dev.datachecksums.operator.leader;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The Lease in the Kubernetes API: GET, POST, and PUT with the resourceVersion. It is owned by its holder's Deployment, so that it goes
 * with that, in whatever order an installation is removed.
 */
final class KubernetesLease implements LeaseStore {

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final LeaseOwner owner;
    private final Duration duration;
    private final Clock clock;

    /** The times that are written are for readers: no decision here rests on another machine's clock. */
    KubernetesLease(
            KubernetesClient client, String namespace, String name, LeaseOwner owner, Duration duration, Clock clock) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.owner = owner;
        this.duration = duration;
        this.clock = clock;
    }

    @Override
    public Optional<LeaseView> read() {
        return Optional.ofNullable(handle().get()).map(KubernetesLease::view);
    }

    @Override
    public LeaseView create(String holder) {
        return view(client.resource(lease(null, holder)).inNamespace(namespace).create());
    }

    @Override
    public LeaseView write(LeaseView seen, String holder) {
        Lease next = lease(seen, holder);
        next.getMetadata().setResourceVersion(seen.version());
        return view(client.resource(next).inNamespace(namespace).update());
    }

    private Lease lease(@Nullable LeaseView before, String holder) {
        ZonedDateTime now = clock.instant().atZone(ZoneOffset.UTC);
        ZonedDateTime acquired = now;
        int transitions = 0;
        if (before != null) {
            boolean same = holder.isEmpty() || holder.equals(before.holder());
            acquired = same && before.acquired() != null ? before.acquired() : now;
            transitions = same ? before.transitions() : before.transitions() + 1;
        }
        return new LeaseBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withName(name)
                        .withNamespace(namespace)
                        .withOwnerReferences(owner.references())
                        .build())
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(Math.toIntExact(duration.toSeconds()))
                .withAcquireTime(acquired)
                .withRenewTime(now)
                .withLeaseTransitions(transitions)
                .endSpec()
                .build();
    }

    private Resource<Lease> handle() {
        return client.leases().inNamespace(namespace).withName(name);
    }

    private static LeaseView view(Lease lease) {
        LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        return new LeaseView(
                spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity(),
                lease.getMetadata().getResourceVersion(),
                spec.getAcquireTime(),
                spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions());
    }
}
