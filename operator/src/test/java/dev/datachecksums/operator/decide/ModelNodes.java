package dev.datachecksums.operator.decide;

import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.operator.instance.WorkloadFacts;
import dev.datachecksums.operator.instance.WorkloadFacts.Node;
import dev.datachecksums.operator.observe.Fact;
import dev.datachecksums.operator.observe.Focus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.ServerFacts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be seen of several nodes of the model, each a world of its own. */
final class ModelNodes {

    private final List<ModelWorld> worlds;
    private final Optional<String> converting;
    private final int replicas;
    private final List<Node> nodes;

    ModelNodes(List<ModelWorld> worlds, DataChecksumsStatus status) {
        this.worlds = worlds;
        this.converting = Optional.ofNullable(status.conversion()).map(ConversionStatus::pod);
        this.replicas = (int) worlds.stream().filter(w -> w.replicas > 0).count();
        this.nodes = (worlds.size() == 1 ? Stream.<ModelWorld>empty() : worlds.stream())
                .filter(w -> w.replicas > 0 || w.pod != null)
                .map(w -> new Node(w.name, alone(w), word(w)))
                .toList();
    }

    /** Whether there is more to be told than of a single one. */
    boolean told(ModelWorld w) {
        return worlds.size() > 1 && !w.apiDown && w.workload && !nodes.isEmpty();
    }

    ModelWorld focus(DesiredState declared) {
        if (worlds.size() == 1 || nodes.isEmpty()) {
            return worlds.stream()
                    .filter(w -> converting.filter(w.name::equals).isPresent())
                    .findFirst()
                    .orElse(worlds.get(0));
        }
        String name = Focus.of(nodes, converting, declared);
        return worlds.stream().filter(w -> w.name.equals(name)).findFirst().orElseThrow();
    }

    void tell(Observations o, ModelWorld focus) {
        Node node = nodes.stream()
                .filter(n -> n.name().equals(focus.name))
                .findFirst()
                .orElseGet(() -> new Node(
                        focus.name,
                        WorkloadFacts.withoutPod("StatefulSet", "orders-db", replicas),
                        Fact.missing(Observation.STOPPED, "scaled away", "scale it back")));
        o.nodes(node, nodes);
    }

    private WorkloadFacts alone(ModelWorld w) {
        Workloads facts = new Workloads();
        ModelView.workload(w, facts, w.pod);
        return facts.replicas(replicas).build();
    }

    private Fact<ServerFacts> word(ModelWorld w) {
        ModelWorld.Pod pod = w.pod;
        if (pod == null || pod.deleting != null || pod.container == ModelWorld.Container.ENDED) {
            return Fact.missing(
                    converting.filter(w.name::equals).isPresent() ? Observation.STOPPED : "NoAddress",
                    "no pod",
                    "wait");
        }
        if (!w.serving() || w.unreachable) {
            return Fact.missing("Unreachable", "no route to " + w.name, "see the log");
        }
        Servers s = new Servers();
        ModelView.server(w, s);
        if (w.standby) {
            s.inRecovery();
        } else {
            s.standbys(Answer.given(
                    (int) worlds.stream().filter(o -> o.standby && o.serving()).count()));
        }
        return Fact.known(s.build());
    }
}
