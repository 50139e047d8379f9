package dev.datachecksums.e2e.faults;

/**
 * A call that changes something.
 *
 * @param step what it does, without names and numbers that differ from run to run
 * @param nth of the calls of this run that do the same, from 1
 */
record Point(Seam seam, String step, int nth) {
    @Override
    public String toString() {
        return seam + " " + step + (nth == 1 ? "" : " (" + nth + ")");
    }
}
