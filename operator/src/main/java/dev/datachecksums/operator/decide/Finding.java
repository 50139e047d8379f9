package dev.datachecksums.operator.decide;

/** What one check of the gate found. */
public sealed interface Finding {

    /** Name of the check. */
    String check();

    /** Nothing stands in the way. */
    record Pass(String check) implements Finding {}

    /**
     * Not now; it passes by itself.
     *
     * @param message what was found
     * @param remedy what would make it pass sooner
     */
    record Wait(String check, String message, String remedy) implements Finding {}

    /**
     * No; somebody has to do something.
     *
     * @param message what was found
     * @param remedy what would open the gate
     */
    record Block(String check, String message, String remedy) implements Finding {}

    /** What was found and what would open the gate, in words. */
    default String words() {
        if (this instanceof Block b) {
            return b.message() + ". " + b.remedy();
        }
        return this instanceof Wait w ? w.message() + ". " + w.remedy() : check();
    }

    /** Whether the gate stays open. */
    default boolean passed() {
        return this instanceof Pass;
    }
}
