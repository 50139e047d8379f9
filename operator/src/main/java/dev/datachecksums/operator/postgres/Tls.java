package dev.datachecksums.operator.postgres;

import org.jspecify.annotations.Nullable;

/**
 * How a connection is encrypted and whom it trusts. With a CA, REQUIRE verifies like VERIFY_CA, as libpq does; without one, the VERIFY
 * modes trust the Java runtime's authorities. PREFER never verifies.
 *
 * @param caPem one or more PEM certificates to trust
 */
public record Tls(Mode mode, @Nullable String caPem) {
    /** As libpq's sslmode. */
    public enum Mode {
        DISABLE("disable"),
        PREFER("prefer"),
        REQUIRE("require"),
        VERIFY_CA("verify-ca"),
        VERIFY_FULL("verify-full");

        private final String sslMode;

        Mode(String sslMode) {
            this.sslMode = sslMode;
        }

        /** The value of libpq's sslmode. */
        public String sslMode() {
            return sslMode;
        }

        /** An unencrypted connection is not accepted. */
        public boolean demandsEncryption() {
            return this != DISABLE && this != PREFER;
        }
    }

    public static Tls of(Mode mode) {
        return new Tls(mode, null);
    }

    boolean verifies() {
        return mode == Mode.VERIFY_CA || mode == Mode.VERIFY_FULL || (mode == Mode.REQUIRE && caPem != null);
    }
}
