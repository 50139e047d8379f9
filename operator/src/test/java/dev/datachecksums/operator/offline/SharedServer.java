package dev.datachecksums.operator.offline;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for all tests of a class: each starts with it running and without checksums. */
final class SharedServer implements BeforeAllCallback, AfterAllCallback {
    private @Nullable InPlaceFixture lender;

    @Override
    public void beforeAll(ExtensionContext context) {
        lender = InPlaceFixture.withoutChecksums();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Objects.requireNonNull(lender).close();
    }

    /** See {@link InPlaceFixture#borrowed}. */
    InPlaceFixture borrowed() {
        return Objects.requireNonNull(lender).borrowed();
    }
}
