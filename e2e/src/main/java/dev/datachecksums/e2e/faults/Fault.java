package dev.datachecksums.e2e.faults;

import java.util.Locale;

/** One fault to be injected. */
record Fault(Road road, Point point, Side side, Kind kind) {
    @Override
    public String toString() {
        return kind + ", " + road.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", "
                + side.name().toLowerCase(Locale.ROOT) + " " + point;
    }
}
