package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import java.util.List;

/** All resources that the operator knows, found by what they declare. */
@FunctionalInterface
public interface Declarations {

    /** Those with that key, one of {@link #keys}. */
    List<DataChecksums> by(String key);

    /** Under which a resource is to be found: resources that declare the same server share one. */
    static List<String> keys(DataChecksums d) {
        return Conflicts.keys(d);
    }
}
