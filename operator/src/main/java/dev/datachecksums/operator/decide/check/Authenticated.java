package dev.datachecksums.operator.decide.check;

import java.util.Set;

/** Whether the server lets us in. */
final class Authenticated implements MissingServerCheck {

    @Override
    public String name() {
        return "Authenticated";
    }

    @Override
    public Set<String> reasons() {
        return Set.of("AuthenticationFailed", "TlsFailed", "NoSuchDatabase", "PermissionDenied");
    }
}
