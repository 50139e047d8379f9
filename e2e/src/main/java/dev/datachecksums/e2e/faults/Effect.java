package dev.datachecksums.e2e.faults;

import java.time.Duration;

/** What becomes of a call at which a fault was injected. */
sealed interface Effect {
    /** It goes on. */
    Effect PASS = new Pass();

    /** The connection is closed without an answer; before it is done, it is not done. */
    Effect DROP = new Drop();

    record Pass() implements Effect {}

    record Drop() implements Effect {}

    /** Refused by the API server with an HTTP code. */
    record Refuse(int code) implements Effect {}

    /** The same as a drop, but only after so long without a word. */
    record Hang(Duration time) implements Effect {}
}
