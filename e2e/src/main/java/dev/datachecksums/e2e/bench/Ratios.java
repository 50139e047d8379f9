package dev.datachecksums.e2e.bench;

import java.util.List;

/** What the pairs of a bench come to. */
final class Ratios {

    private Ratios() {}

    /** Of at least one; of an even number the mean of the two in the middle. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    }
}
