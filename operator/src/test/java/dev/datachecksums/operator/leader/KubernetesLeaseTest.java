package dev.datachecksums.operator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetListBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written into the Lease, and whose it is. */
class KubernetesLeaseTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/system/leases";
    private static final String POD = "/api/v1/namespaces/system/pods/operator-7d9-x";
    private static final String SETS =
            "/apis/apps/v1/namespaces/system/replicasets?fieldSelector=metadata.name%3Doperator-7d9";

    private final KubernetesMockServer server = new KubernetesMockServer(false);
    private KubernetesClient client;
    private KubernetesLease lease;

    @BeforeEach
    void start() {
        server.init();
        client = server.createClient();
        lease = new KubernetesLease(
                client,
                "system",
                Leadership.NAME,
                new LeaseOwner(client, "system", "operator-7d9-x"),
                Leadership.LEASE,
                Clock.systemUTC());
        server.expect().post().withPath(LEASES).andReturn(201, answer()).always();
        server.expect()
                .put()
                .withPath(LEASES + "/" + Leadership.NAME)
                .andReturn(200, answer())
                .always();
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    @Test
    void itBelongsToTheDeploymentOfItsHolder() throws Exception {
        pod();
        server.expect()
                .get()
                .withPath(SETS)
                .andReturn(
                        200,
                        new ReplicaSetListBuilder().withItems(set("uid-set")).build())
                .once();
        lease.create("operator-7d9-x");
        assertThat(written().getMetadata().getOwnerReferences())
                .containsExactly(new OwnerReferenceBuilder()
                        .withApiVersion("apps/v1")
                        .withKind("Deployment")
                        .withName("operator")
                        .withUid("uid-deployment")
                        .build());
        // Asked once, and kept by every renewal.
        lease.write(new LeaseView("operator-7d9-x", "7", null, 0), "operator-7d9-x");
        Lease renewed = written();
        assertThat(renewed.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(renewed.getMetadata().getOwnerReferences()).hasSize(1);
    }

    /** The pod's ReplicaSet has gone, and another has its name: the Lease would go with that. */
    @Test
    void aStrangerOfTheSameNameIsNoOwner() throws Exception {
        pod();
        server.expect()
                .get()
                .withPath(SETS)
                .andReturn(
                        200,
                        new ReplicaSetListBuilder().withItems(set("uid-other")).build())
                .once();
        lease.create("operator-7d9-x");
        assertThat(written().getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void outsideOfAClusterItIsNobodys() throws Exception {
        server.expect()
                .get()
                .withPath(POD)
                .andReturn(404, new StatusBuilder().withCode(404).build())
                .once();
        lease.create("laptop");
        assertThat(written().getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void whoMayNotSeeItsPodLeadsAllTheSame() throws Exception {
        server.expect()
                .get()
                .withPath(POD)
                .andReturn(403, new StatusBuilder().withCode(403).build())
                .once();
        lease.create("operator-7d9-x");
        assertThat(written().getSpec().getHolderIdentity()).isEqualTo("operator-7d9-x");
    }

    private static Lease answer() {
        return new LeaseBuilder()
                .withNewMetadata()
                .withName(Leadership.NAME)
                .withResourceVersion("8")
                .endMetadata()
                .build();
    }

    private void pod() {
        server.expect()
                .get()
                .withPath(POD)
                .andReturn(
                        200,
                        new PodBuilder()
                                .withNewMetadata()
                                .withName("operator-7d9-x")
                                .withOwnerReferences(reference("ReplicaSet", "operator-7d9", "uid-set"))
                                .endMetadata()
                                .build())
                .once();
    }

    private static ReplicaSet set(String uid) {
        return new ReplicaSetBuilder()
                .withNewMetadata()
                .withName("operator-7d9")
                .withUid(uid)
                .withOwnerReferences(List.of(reference("Deployment", "operator", "uid-deployment")))
                .endMetadata()
                .build();
    }

    private static OwnerReference reference(String kind, String name, String uid) {
        return new OwnerReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind(kind)
                .withName(name)
                .withUid(uid)
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** The body of the last call. */
    private Lease written() throws InterruptedException {
        return Serialization.unmarshal(server.getLastRequest().getUtf8Body(), Lease.class);
    }
}
