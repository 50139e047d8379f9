package dev.datachecksums.operator.offline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a container's log, each line with its time before it, into lines, and passes on those that are new: after a
 * dropped stream the log is read anew, and what was seen is skipped by the kubelet's time stamps. Of a line that is longer
 * than {@link #LONGEST} the rest is dropped. Not safe for use by several threads.
 */
final class LogLines {

    static final int LONGEST = 1 << 14;

    private final byte[] line = new byte[LONGEST];
    private int length;

    private @Nullable Instant last;
    /** Lines seen with the time {@link #last}, and those of them that came again in this reading. */
    private int seenAtLast;

    private int againAtLast;

    /** Reads until the end of the stream; calls back for every new line, without its time. */
    void read(InputStream in, Consumer<String> heard) throws IOException {
        length = 0;
        againAtLast = 0;
        byte[] buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            for (int i = 0; i < n; i++) {
                if (buffer[i] == '\n') {
                    end(heard);
                } else if (length < LONGEST) {
                    line[length++] = buffer[i];
                }
            }
        }
        // A line without an end may be half of one that comes whole the next time: it is left to that.
    }

    /** Time of the last line, from which on the log has to be read again. */
    Optional<Instant> since() {
        return Optional.ofNullable(last);
    }

    private void end(Consumer<String> heard) {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        length = 0;
        int space = text.indexOf(' ');
        Instant time = space < 0 ? null : time(text.substring(0, space));
        if (time == null) {
            heard.accept(text);
        } else if (isNew(time)) {
            heard.accept(text.substring(space + 1));
        }
    }

    private boolean isNew(Instant time) {
        if (last != null && time.isBefore(last)) {
            return false;
        }
        if (!time.equals(last)) {
            last = time;
            seenAtLast = 1;
            againAtLast = 1;
            return true;
        }
        againAtLast++;
        if (againAtLast <= seenAtLast) {
            return false;
        }
        seenAtLast = againAtLast;
        return true;
    }

    private static @Nullable Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
