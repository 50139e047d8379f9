package dev.datachecksums.e2e.faults;

/** Is told of every call that changes something, on both its sides, and says what becomes of it. */
interface Crossing {
    /** It is about to be done. */
    Point before(Seam seam, String step);

    /** What a fault at one of its sides does to it; runs the fault, so it may take its time. */
    Effect effect(Point point, Side side);
}
