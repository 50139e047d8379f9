package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** Creates the objects of a server: the same on every testbed. */
final class Instances {
    private Instances() {}

    static PostgresInstance create(Testbed testbed, PostgresSpec spec, UnaryOperator<StatefulSet> shape) {
        PostgresObjects objects = objects(testbed, spec, shape);
        return create(
                testbed,
                spec,
                objects,
                objects.all(),
                ServerPods.ofStatefulSet(testbed.client(), testbed.namespace(), spec.name(), 0));
    }

    static PostgresInstance createDeployment(Testbed testbed, PostgresSpec spec, UnaryOperator<Deployment> shape) {
        PostgresObjects objects = objects(testbed, spec, UnaryOperator.identity());
        return create(
                testbed,
                spec,
                objects,
                objects.asDeployment(shape),
                ServerPods.ofDeployment(testbed.client(), testbed.namespace(), spec.name()));
    }

    private static PostgresObjects objects(Testbed testbed, PostgresSpec spec, UnaryOperator<StatefulSet> shape) {
        int major = spec.major() == 0 ? testbed.defaultMajor() : spec.major();
        return new PostgresObjects(spec, testbed.image(major), testbed.mountPath(spec.name()), shape);
    }

    private static PostgresInstance create(
            Testbed testbed, PostgresSpec spec, PostgresObjects objects, List<HasMetadata> all, ServerPods pods) {
        for (HasMetadata object : all) {
            testbed.client().resource(object).inNamespace(testbed.namespace()).create();
        }
        return new PostgresInstance(testbed.client(), testbed.namespace(), spec, objects, pods);
    }
}
