package dev.datachecksums.operator.postgres.online;

import org.junit.jupiter.api.Nested;

/** The contracts, on a real server: run where DATACHECKSUMS_ONLINE_PGBIN names one, and not even listed elsewhere. */
class OnlineContractRealOnline {
    @Nested
    class Runs extends RunContract {
        @Override
        OnlineWorld create() {
            return new RealOnlineWorld();
        }
    }

    @Nested
    class Interruptions extends InterruptionContract {
        @Override
        OnlineWorld create() {
            return new RealOnlineWorld();
        }
    }

    @Nested
    class Blockers extends BlockerContract {
        @Override
        OnlineWorld create() {
            return new RealOnlineWorld();
        }
    }
}
