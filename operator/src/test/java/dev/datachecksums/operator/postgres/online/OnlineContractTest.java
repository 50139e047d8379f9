package dev.datachecksums.operator.postgres.online;

import org.junit.jupiter.api.Nested;

/** The contracts, on the scripted server: what else is tried on it rests on these. */
class OnlineContractTest {
    @Nested
    class Runs extends RunContract {
        @Override
        OnlineWorld create() {
            return new FakeOnlineWorld();
        }
    }

    @Nested
    class Interruptions extends InterruptionContract {
        @Override
        OnlineWorld create() {
            return new FakeOnlineWorld();
        }
    }

    @Nested
    class Blockers extends BlockerContract {
        @Override
        OnlineWorld create() {
            return new FakeOnlineWorld();
        }
    }
}
