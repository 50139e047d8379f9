package dev.datachecksums.operator.decide.check;

import java.util.Set;

/** Whether the declared host is one that a declaration of this namespace may name. */
final class HostAllowed implements MissingServerCheck {

    @Override
    public String name() {
        return "HostAllowed";
    }

    @Override
    public Set<String> reasons() {
        return Set.of("HostNotAllowed");
    }
}
