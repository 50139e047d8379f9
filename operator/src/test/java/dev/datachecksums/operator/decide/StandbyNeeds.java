package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.standby.StandbyFacts;
import java.util.List;

/** Builds what a server says a copy of it needs. By default: it has all of it, and 100 GiB, 60 of them free. */
public final class StandbyNeeds {
    private static final long GIB = 1L << 30;

    private Answer<DiskSpace> data = Answer.given(new DiskSpace(100 * GIB, 60 * GIB));
    private Answer<DiskSpace> wal = Answer.given(new DiskSpace(100 * GIB, 60 * GIB));
    private Answer<List<String>> unlogged = Answer.given(List.of());
    private Answer<List<String>> methods = Answer.given(List.of());
    private Answer<List<String>> managers = Answer.given(List.of());
    private List<String> closed = List.of();
    private String level = "replica";
    private int slots = 10;
    private long keep = -1;

    public StandbyNeeds free(long bytes) {
        return free(Answer.given(new DiskSpace(100 * GIB, bytes)));
    }

    public StandbyNeeds free(Answer<DiskSpace> f) {
        this.data = f;
        return this;
    }

    public StandbyNeeds walFree(Answer<DiskSpace> f) {
        this.wal = f;
        return this;
    }

    public StandbyNeeds unlogged(Answer<List<String>> f) {
        this.unlogged = f;
        return this;
    }

    public StandbyNeeds methods(Answer<List<String>> f) {
        this.methods = f;
        return this;
    }

    public StandbyNeeds managers(Answer<List<String>> f) {
        this.managers = f;
        return this;
    }

    public StandbyNeeds closed(String... databases) {
        this.closed = List.of(databases);
        return this;
    }

    public StandbyNeeds level(String walLevel) {
        this.level = walLevel;
        return this;
    }

    public StandbyNeeds slots(int n) {
        this.slots = n;
        return this;
    }

    public StandbyNeeds keep(long bytes) {
        this.keep = bytes;
        return this;
    }

    /** The facts. */
    public StandbyFacts build() {
        return new StandbyFacts(
                Observations.NOW, data, wal, unlogged, methods, managers, closed, level, slots, keep, GIB);
    }
}
