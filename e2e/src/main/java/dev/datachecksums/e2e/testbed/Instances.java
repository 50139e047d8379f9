package dev.datachecksums.e2e.testbed;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.function.UnaryOperator;

/** Creates the objects of a server: the same on every testbed. */
final class Instances {
    private Instances() {}

    static PostgresInstance create(Testbed testbed, PostgresSpec spec, UnaryOperator<StatefulSet> shape) {
        int major = spec.major() == 0 ? testbed.defaultMajor() : spec.major();
        PostgresObjects objects =
                new PostgresObjects(spec, testbed.image(major), testbed.mountPath(spec.name()), shape);
        for (HasMetadata object : objects.all()) {
            testbed.client().resource(object).inNamespace(testbed.namespace()).create();
        }
        return new PostgresInstance(testbed.client(), testbed.namespace(), spec, objects);
    }
}
