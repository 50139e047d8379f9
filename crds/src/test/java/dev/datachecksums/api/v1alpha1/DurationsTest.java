package dev.datachecksums.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "0ms, PT0S",
        "1ms, PT0.001S",
        "90s, PT1M30S",
        "10m, PT10M",
        "1h30m, PT1H30M",
        "1h30m15s250ms, PT1H30M15.25S",
        "30m1h, PT1H30M",
        "1s1s, PT2S",
        "168h, PT168H",
        "007m, PT7M",
        "9223372036854775807ms, PT2562047788015H12M55.807S",
    })
    void reads(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10",
                "m",
                "10m ",
                " 10m",
                "10 m",
                "-10m",
                "+10m",
                "1.5h",
                "1d",
                "10us",
                "PT10M",
                "10M",
                "10m\n",
                "ten minutes",
                "١٠m",
                "10m,5s",
                "1h30"
            })
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808ms", "9223372036854775807h", "99999999999999999999h"})
    void refusesWhatIsTooLarge(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0ms",
        "PT0.000001S, 0ms",
        "PT0.999S, 999ms",
        "PT1S, 1s",
        "PT1.05S, 1s",
        "PT2.36S, 2.3s",
        "PT9.99S, 9.9s",
        "PT10.9S, 10s",
        "PT59.999S, 59s",
        "PT1M, 1m",
        "PT1M5S, 1m5s",
        "PT59M59S, 59m59s",
        "PT1H, 1h",
        "PT1H30S, 1h",
        "PT1H30M, 1h30m",
        "PT23H59M59S, 23h59m",
        "PT24H, 1d",
        "PT49H30M, 2d1h",
    })
    void writesForAReader(Duration duration, String expected) {
        assertThat(Durations.format(duration)).isEqualTo(expected);
    }

    /** Whatever is written is read again, as what stands there: the same text, and never more than it was. */
    @Test
    void whatIsWrittenCanBeRead() {
        Random random = new Random(7714057436666134550L);
        for (int i = 0; i < 20_000; i++) {
            // Every order of magnitude as often as the others.
            Duration d = Duration.ofNanos(random.nextLong() >>> (1 + random.nextInt(62)));
            String text = Durations.format(d);
            Duration read = Durations.read(text);
            assertThat(Durations.format(read)).isEqualTo(text);
            assertThat(read).isLessThanOrEqualTo(d);
            assertThat(d.minus(read)).isLessThanOrEqualTo(Duration.ofMillis(1).plus(d.dividedBy(10)));
        }
    }

    @ParameterizedTest
    @CsvSource({"850ms, PT0.85S", "4.4s, PT4.4S", "2m5s, PT2M5S", "1d2h, PT26H", "1h30m, PT1H30M", "30m, PT30M"})
    void readsWhatAReaderIsShown(String text, Duration expected) {
        assertThat(Durations.read(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "soon", "5", "4.44s", "1.5h", "-4s", "2h1d", "99999999999999999999d", "9223372036854775807d"
            })
    void refusesToReadWhatWasNotWritten(String text) {
        assertThatThrownBy(() -> Durations.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLongestDurationCanBeWritten() {
        assertThat(Durations.format(Duration.ofSeconds(Long.MAX_VALUE)))
                .endsWith("h")
                .contains("d");
    }

    @Test
    void aNegativeDurationIsNotWrittenAsALongOne() {
        assertThat(Durations.format(Duration.ofSeconds(-5))).isEqualTo("0ms");
    }
}
