package dev.datachecksums.operator.telemetry;

import java.util.List;

/** One series of a resource and its value; labels are the values of those besides namespace and name. */
record Sample(Metric metric, double value, List<String> labels) {
    static Sample of(Metric metric, double value, String... labels) {
        return new Sample(metric, value, List.of(labels));
    }

    static Sample of(Metric metric, boolean yes, String... labels) {
        return of(metric, yes ? 1 : 0, labels);
    }
}
