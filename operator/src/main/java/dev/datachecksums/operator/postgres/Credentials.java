package dev.datachecksums.operator.postgres;

/** Who logs in. The password appears in no text that this class makes. */
public record Credentials(String username, String password) {
    /** @throws IllegalArgumentException if the user name is empty, with a message for users */
    public Credentials {
        if (username.isBlank()) {
            throw new IllegalArgumentException("the user name is empty");
        }
    }

    @Override
    public String toString() {
        return "Credentials[username=" + username + ", password=***]";
    }
}
