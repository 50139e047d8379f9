package dev.datachecksums.e2e.testbed.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What one instance of a container wrote, line by line; readable while it grows. */
final class ContainerLog {
    private static final int KEPT = 50_000;

    private record Line(Instant at, String text) {}

    private final List<Line> lines = new ArrayList<>();
    private int dropped;
    private boolean closed;

    synchronized void add(String text) {
        lines.add(new Line(Instant.now(), text));
        if (lines.size() > KEPT) {
            lines.subList(0, KEPT / 10).clear();
            dropped += KEPT / 10;
        }
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** The last lines, at most so many characters: what becomes a termination message. */
    synchronized String tail(int maxLines, int maxChars) {
        StringBuilder text = new StringBuilder();
        for (Line line : lines.subList(Math.max(0, lines.size() - maxLines), lines.size())) {
            text.append(line.text()).append('\n');
        }
        return text.length() <= maxChars ? text.toString() : text.substring(text.length() - maxChars);
    }

    /**
     * Writes the log.
     *
     * @param tail the last lines only; negative for all
     * @param since older lines are left out
     */
    void copyTo(OutputStream out, int tail, Instant since, boolean timestamps, boolean follow) throws IOException {
        int next = tail < 0 ? 0 : Math.max(0, end() - tail);
        while (true) {
            List<Line> batch = batch(next, follow);
            if (batch.isEmpty()) {
                return;
            }
            next = Math.max(next, end() - size()) + batch.size();
            StringBuilder text = new StringBuilder();
            for (Line line : batch) {
                if (!line.at().isBefore(since)) {
                    text.append(timestamps ? line.at() + " " : "")
                            .append(line.text())
                            .append('\n');
                }
            }
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    private synchronized int end() {
        return dropped + lines.size();
    }

    private synchronized int size() {
        return lines.size();
    }

    /** What there is from a line on, waited for if wanted; empty at the end. */
    private synchronized List<Line> batch(int from, boolean follow) {
        try {
            while (follow && !closed && from >= dropped + lines.size()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        int index = Math.max(0, from - dropped);
        return index >= lines.size() ? List.of() : List.copyOf(lines.subList(index, lines.size()));
    }
}
