package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.Fact;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import dev.datachecksums.operator.postgres.ServerFacts.OsUser;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds what a server says of itself. By default: PostgreSQL 17, off, 300 MB, a superuser asks, nothing is wrong. */
public final class Servers {
    /** Its system identifier. */
    public static final String SYSTEM = "7370000000000000001";
    /** When its postmaster started. */
    public static final Instant STARTED = Instant.parse("2026-11-01T00:00:00Z");

    private Instant observedAt = Observations.NOW;
    private int version = 170_012;
    private ChecksumState checksums = ChecksumState.OFF;
    private String system = SYSTEM;
    private Instant started = STARTED;
    private boolean recovery;
    private boolean superuser = true;
    private Fact<OsUser> osUser = Fact.of(new OsUser(999, 999));
    private Fact<Long> bytes = Fact.of(300_000_000L);
    private Fact<List<RunningBackup>> backups = Fact.of(List.of());
    private boolean ignoreFailure;
    private boolean functions;
    private Fact<Boolean> interlock = Fact.of(false);
    private Fact<List<ConfigError>> configErrors = Fact.of(List.of());
    private Fact<Integer> standbys = Fact.of(0);
    private @Nullable String fork;
    private @Nullable String pooler;

    public Servers observedAt(Instant t) {
        this.observedAt = t;
        return this;
    }

    /** As in server_version_num. */
    public Servers version(int num) {
        this.version = num;
        return this;
    }

    public Servers checksums(ChecksumState s) {
        this.checksums = s;
        return this;
    }

    public Servers system(String identifier) {
        this.system = identifier;
        return this;
    }

    public Servers started(Instant t) {
        this.started = t;
        return this;
    }

    public Servers inRecovery() {
        this.recovery = true;
        return this;
    }

    public Servers noSuperuser() {
        this.superuser = false;
        return this;
    }

    public Servers osUser(Fact<OsUser> f) {
        this.osUser = f;
        return this;
    }

    public Servers bytes(long n) {
        return bytes(Fact.of(n));
    }

    public Servers bytes(Fact<Long> f) {
        this.bytes = f;
        return this;
    }

    public Servers backups(Fact<List<RunningBackup>> f) {
        this.backups = f;
        return this;
    }

    public Servers ignoreChecksumFailure() {
        this.ignoreFailure = true;
        return this;
    }

    /** It has the online functions. */
    public Servers functions() {
        this.functions = true;
        return this;
    }

    public Servers interlock(boolean there) {
        return interlock(Fact.of(there));
    }

    public Servers interlock(Fact<Boolean> f) {
        this.interlock = f;
        return this;
    }

    public Servers configErrors(Fact<List<ConfigError>> f) {
        this.configErrors = f;
        return this;
    }

    public Servers standbys(Fact<Integer> f) {
        this.standbys = f;
        return this;
    }

    public Servers fork(String name) {
        this.fork = name;
        return this;
    }

    public Servers pooler(String evidence) {
        this.pooler = evidence;
        return this;
    }

    /** The facts. */
    public ServerFacts build() {
        String name = version / 10_000 + "." + version % 10_000;
        return new ServerFacts(
                observedAt,
                version,
                name,
                "PostgreSQL " + name,
                checksums,
                Fact.of(system),
                recovery,
                superuser,
                started,
                Fact.of("/var/lib/postgresql/data/pgdata"),
                Fact.of("/var/lib/postgresql/data/pgdata/postgresql.conf"),
                Fact.of("/usr/lib/postgresql/17/bin"),
                Fact.of("10.0.0.7"),
                Fact.of(5432),
                osUser,
                Fact.missing("no SELinux"),
                Fact.of(List.of()),
                bytes,
                Fact.of(List.of()),
                backups,
                ignoreFailure,
                functions,
                interlock,
                configErrors,
                8,
                standbys,
                fork,
                pooler,
                Fact.missing("checksums are off"));
    }
}
