package dev.datachecksums.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DataChecksums;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.junit.jupiter.api.Test;

/** Of which object of the cache a look may go. */
class UnchangedTest {

    private final Unchanged unchanged = new Unchanged();

    @Test
    void whatNoLookHasLeftIsReadAnew() {
        assertThat(unchanged.is(of("1", "7"))).isFalse();
    }

    @Test
    void whatTheLastLookHasLeftIsNot() {
        unchanged.remember(of("1", "7"));
        assertThat(unchanged.is(of("1", "7"))).isTrue();
        assertThat(unchanged.is(of("2", "7")))
                .as("another resource of that version")
                .isFalse();
    }

    /** The cache may be behind it, or ahead. */
    @Test
    void anotherVersionIsReadAnew() {
        unchanged.remember(of("1", "7"));
        assertThat(unchanged.is(of("1", "6"))).isFalse();
        assertThat(unchanged.is(of("1", "8"))).isFalse();
    }

    /** A look that writes, or does anything, has forgotten it first: the cache may show the old version for a while. */
    @Test
    void whatWasForgottenIsReadAnew() {
        unchanged.remember(of("1", "7"));
        unchanged.forget("1");
        assertThat(unchanged.is(of("1", "7"))).isFalse();
        unchanged.remember(of("1", "7"));
        unchanged.clear();
        assertThat(unchanged.is(of("1", "7"))).isFalse();
    }

    private static DataChecksums of(String uid, String version) {
        DataChecksums d = new DataChecksums();
        d.setMetadata(new ObjectMetaBuilder()
                .withUid(uid)
                .withResourceVersion(version)
                .build());
        return d;
    }
}
