package dev.datachecksums.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.WindowSpec;
import dev.datachecksums.operator.decide.Windows.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {

    private static final String BERLIN = "Europe/Berlin";

    /** Columns: schedule, duration, zone, now, "until T" (open), "opens T" (closed), "never" or "no schedule | zone | duration". */
    @ParameterizedTest(name = "{0} for {1} in {2} at {3}: {4}")
    @CsvSource({
        // an ordinary one: open from its first moment on, closed from its last on
        "0 2 * * 6, 3h, Europe/Berlin, 2026-12-05T00:59:59.999Z, opens 2026-12-05T01:00:00Z",
        "0 2 * * 6, 3h, Europe/Berlin, 2026-12-05T01:00:00Z, until 2026-12-05T04:00:00Z",
        "0 2 * * 6, 3h, Europe/Berlin, 2026-12-05T01:00:00.500Z, until 2026-12-05T04:00:00Z",
        "0 2 * * 6, 3h, Europe/Berlin, 2026-12-05T03:59:59.999Z, until 2026-12-05T04:00:00Z",
        "0 2 * * 6, 3h, Europe/Berlin, 2026-12-05T04:00:00Z, opens 2026-12-12T01:00:00Z",
        "0 2 * * 7, 3h, Etc/UTC, 2026-12-06T02:30:00Z, until 2026-12-06T05:00:00Z",
        "0 2 * * SAT, 3h, Etc/UTC, 2026-12-05T02:30:00Z, until 2026-12-05T05:00:00Z",
        // over midnight, and over the end of the year
        "0 23 * * *, 2h, Etc/UTC, 2026-12-05T00:30:00Z, until 2026-12-05T01:00:00Z",
        "0 23 31 12 *, 4h, Etc/UTC, 2027-01-01T02:59:00Z, until 2027-01-01T03:00:00Z",
        // a week long
        "0 0 * * 1, 168h, Etc/UTC, 2026-12-06T23:59:00Z, until 2026-12-07T00:00:00Z",
        // overlapping: the newest one counts
        "0 * * * *, 3h, Etc/UTC, 2026-12-05T10:30:00Z, until 2026-12-05T13:00:00Z",
        // clocks go forward on 2027-03-28 at 2:00 in Berlin: three hours are three hours
        "0 1 28 3 *, 3h, Europe/Berlin, 2027-03-28T02:59:00Z, until 2027-03-28T03:00:00Z",
        "0 4 28 3 *, 1h, Europe/Berlin, 2027-03-28T02:00:00Z, until 2027-03-28T03:00:00Z",
        // clocks go back on 2026-10-25 at 3:00
        "0 1 25 10 *, 3h, Europe/Berlin, 2026-10-25T01:59:00Z, until 2026-10-25T02:00:00Z",
        "0 4 25 10 *, 1h, Europe/Berlin, 2026-10-25T03:00:00Z, until 2026-10-25T04:00:00Z",
        // leap day
        "0 0 29 2 *, 1h, Etc/UTC, 2027-01-01T00:00:00Z, opens 2028-02-29T00:00:00Z",
        // a day of the month and a day of the week: either opens it, as cron has it
        "0 2 13 * 5, 1h, Etc/UTC, 2026-12-11T02:30:00Z, until 2026-12-11T03:00:00Z",
        "0 2 13 * 5, 1h, Etc/UTC, 2026-12-13T02:30:00Z, until 2026-12-13T03:00:00Z",
        // never
        "0 0 31 2 *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, never",
        "0 0 31 4 *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, never",
        // no windows at all
        "0 2 * * 8, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "60 2 * * *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "0 24 * * *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "0 2 * * MOND, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "0 0 0 2 * *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "*/0 * * * *, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "a b c d e, 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "'', 1h, Etc/UTC, 2026-12-05T00:00:00Z, no schedule",
        "0 2 * * 6, 1h, Europe/Bielefeld, 2026-12-05T00:00:00Z, no timeZone",
        "0 2 * * 6, 1h, +99:00, 2026-12-05T00:00:00Z, no timeZone",
        "0 2 * * 6, 1h, '', 2026-12-05T00:00:00Z, no timeZone",
        "0 2 * * 6, soon, Etc/UTC, 2026-12-05T00:00:00Z, no duration",
    })
    void window(String schedule, String duration, String zone, Instant now, String expected) {
        State state = Windows.at(new WindowSpec(schedule, duration, zone), now);
        assertThat(words(state)).startsWith(expected);
    }

    private static String words(State state) {
        if (state instanceof State.Open open) {
            return "until " + open.until();
        }
        if (state instanceof State.Closed closed) {
            return closed.opens().map(t -> "opens " + t).orElse("never");
        }
        return ((State.Invalid) state).message().replaceFirst("policy\\.window\\.", "no ");
    }

    @Test
    void aDayThatLacksTheHourOpensOnceAndNotTwice() {
        // 2:30 does not come on 2027-03-28 in Berlin; the window of that day opens at most once, near to it.
        WindowSpec w = new WindowSpec("30 2 * * *", "30m", BERLIN);
        assertThat(openings(w, Instant.parse("2027-03-27T22:00:00Z"), Instant.parse("2027-03-28T06:00:00Z")))
                .isLessThanOrEqualTo(1);
        assertThat(openings(w, Instant.parse("2027-03-28T22:00:00Z"), Instant.parse("2027-03-29T06:00:00Z")))
                .isEqualTo(1);
    }

    @Test
    void aDayThatHasTheHourTwiceOpensAtLeastOnce() {
        WindowSpec w = new WindowSpec("30 2 * * *", "30m", BERLIN);
        assertThat(openings(w, Instant.parse("2026-10-24T22:00:00Z"), Instant.parse("2026-10-25T06:00:00Z")))
                .isBetween(1, 2);
    }

    @Test
    void withoutAWindowItIsOpenForEver() {
        State.Open open = (State.Open) Windows.at(null, Observations.NOW);
        assertThat(open.fits(Observations.NOW, Duration.ofDays(10_000))).isTrue();
    }

    @Test
    void whatFitsExactlyFits() {
        State.Open open = new State.Open(Observations.NOW.plusSeconds(60));
        assertThat(open.fits(Observations.NOW, Duration.ofSeconds(60))).isTrue();
        assertThat(open.fits(Observations.NOW, Duration.ofMillis(60_001))).isFalse();
    }

    @Test
    void whatIsClosedOpensWhenItSaidThatItWould() {
        for (String zone : new String[] {"Etc/UTC", BERLIN, "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata"}) {
            WindowSpec w = new WindowSpec("17 3 * * *", "45m", zone);
            Instant t = Instant.parse("2026-01-01T00:00:00Z");
            for (int days = 0; days < 366; days += 4, t = t.plus(Duration.ofDays(4))) {
                if (Windows.at(w, t) instanceof State.Closed closed) {
                    Optional<Instant> opens = closed.opens();
                    assertThat(opens).isPresent();
                    assertThat(opens.get()).isAfter(t);
                    assertThat(Windows.at(w, opens.get()))
                            .as(zone + " " + opens.get())
                            .isInstanceOf(State.Open.class);
                }
            }
        }
    }

    private static int openings(WindowSpec w, Instant from, Instant to) {
        int n = 0;
        boolean open = false;
        for (Instant t = from; t.isBefore(to); t = t.plusSeconds(60)) {
            boolean now = Windows.at(w, t) instanceof State.Open;
            n += now && !open ? 1 : 0;
            open = now;
        }
        return n;
    }
}
