package dev.datachecksums.operator.decide.check;

import java.util.Set;

/** Whether there is a usable address, user name and password to log in with. */
final class CredentialsPresent implements MissingServerCheck {

    @Override
    public String name() {
        return "CredentialsPresent";
    }

    @Override
    public Set<String> reasons() {
        return Set.of("SecretNotFound", "SecretKeyMissing", "BadConnection", "Forbidden");
    }
}
