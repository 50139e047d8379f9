package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLinesTest {

    private final List<String> heard = new ArrayList<>();
    private final LogLines lines = new LogLines();

    private void read(String text) throws IOException {
        lines.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), heard::add);
    }

    private static String at(int second, String text) {
        return "2026-11-30T12:00:0" + second + ".123456789Z " + text + "\n";
    }

    @Test
    void skipsWhatWasSeenBeforeTheStreamDropped() throws IOException {
        read(at(1, "a") + at(2, "b"));
        assertThat(lines.since()).contains(Instant.parse("2026-11-30T12:00:02.123456789Z"));
        read(at(1, "a") + at(2, "b") + at(3, "c"));
        assertThat(heard).containsExactly("a", "b", "c");
    }

    @Test
    void losesNoneOfSeveralLinesOfOneMoment() throws IOException {
        read(at(1, "a") + at(1, "b"));
        read(at(1, "a") + at(1, "b") + at(1, "c") + at(2, "d"));
        read(at(1, "a") + at(1, "b") + at(1, "c") + at(2, "d") + at(2, "e"));
        assertThat(heard).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void takesHalfALineFromTheNextReading() throws IOException {
        read(at(1, "a") + "2026-11-30T12:00:02.5Z {\"step\":\"do");
        read(at(1, "a") + "2026-11-30T12:00:02.5Z {\"step\":\"done\"}\n");
        assertThat(heard).containsExactly("a", "{\"step\":\"done\"}");
    }

    @Test
    void hearsLinesWithoutATime() throws IOException {
        read("{\"step\": \"armed\"}\nplain\n\n");
        assertThat(heard).containsExactly("{\"step\": \"armed\"}", "plain", "");
    }

    @Test
    void cutsALineThatIsTooLongAndReadsOn() throws IOException {
        read(at(1, "x".repeat(5_000_000)) + at(2, "b"));
        assertThat(heard.get(0)).startsWith("xxx").hasSizeLessThanOrEqualTo(LogLines.LONGEST);
        assertThat(heard.get(1)).isEqualTo("b");
    }

    @Test
    void readsLettersThatComeByteByByte() throws IOException {
        byte[] bytes = at(1, "größe ☃").getBytes(StandardCharsets.UTF_8);
        lines.read(
                new InputStream() {
                    private int n;

                    @Override
                    public int read() {
                        return n < bytes.length ? bytes[n++] & 0xff : -1;
                    }

                    @Override
                    public int read(byte[] b, int off, int len) {
                        int c = read();
                        if (c < 0) {
                            return -1;
                        }
                        b[off] = (byte) c;
                        return 1;
                    }
                },
                heard::add);
        assertThat(heard).containsExactly("größe ☃");
    }
}
