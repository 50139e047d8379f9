package dev.datachecksums.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {
    private static final Map<String, String> KNOWN = Map.of("pairs", "5", "only", "");

    @Test
    void whatTheLineDoesNotNameIsAsItIsKnown() {
        Arguments none = Arguments.of(new String[0], KNOWN);
        assertThat(none.number("pairs")).isEqualTo(5);
        assertThat(none.text("only")).isEmpty();
        assertThat(none.sizes(1024, 8192)).containsExactly(1024, 8192);
    }

    @Test
    void whatTheLineNamesHolds() {
        Arguments some = Arguments.of(new String[] {"300", "--pairs=2", "--only=a=b"}, KNOWN);
        assertThat(some.number("pairs")).isEqualTo(2);
        assertThat(some.text("only")).isEqualTo("a=b");
        assertThat(some.sizes(1024)).containsExactly(300);
    }

    @ParameterizedTest
    @CsvSource({
        "--pair=2, unknown --pair=2",
        "--pairs, unknown --pairs",
        "pairs=2, unknown pairs=2",
        "--pairs=two, a whole number"
    })
    void whatIsNotKnownIsRefusedWithWhatIs(String word, String message) {
        assertThatThrownBy(() -> Arguments.of(new String[] {word}, KNOWN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
