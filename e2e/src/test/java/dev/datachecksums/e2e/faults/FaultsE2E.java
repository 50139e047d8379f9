package dev.datachecksums.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sample of what {@code make faults} injects. The seed is in the output, and gives the same faults again. */
@Tag("embedded")
class FaultsE2E {
    private static final int FAULTS = 24;
    private static final long SEED = 20261130;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothingIsLostLeftDownOrLeftBehindWhereverAFaultStrikes() {
        FaultTable table = Faults.sample(SEED, FAULTS, 2);
        String text = table.write();
        System.out.println(text);
        assertThat(table.wrong()).as(text).isEmpty();
        // Its step comes in nearly every run: a sample of which little struck would prove nothing.
        assertThat(table.struck()).isGreaterThan(FAULTS / 2);
    }
}
