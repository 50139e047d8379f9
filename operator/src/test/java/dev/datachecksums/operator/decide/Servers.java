package dev.datachecksums.operator.decide;

import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.AutoConf;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import dev.datachecksums.operator.postgres.ServerFacts.OsUser;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import dev.datachecksums.operator.postgres.ServerFacts.Tablespace;
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
    private String address = "10.0.0.7";
    private boolean recovery;
    private boolean superuser = true;
    private Answer<OsUser> osUser = Answer.given(new OsUser(999, 999));
    private Answer<Long> bytes = Answer.given(300_000_000L);
    private Answer<List<RunningBackup>> backups = Answer.given(List.of());
    private boolean ignoreFailure;
    private Answer<List<ServerFacts.ChecksumFailures>> failures = Answer.absent("checksums are off");
    private boolean functions;
    private Answer<Boolean> interlock = Answer.given(false);
    private Answer<AutoConf> autoConf = Answer.given(AutoConf.PLAIN);
    private Answer<List<ConfigError>> configErrors = Answer.given(List.of());
    private Answer<Integer> standbys = Answer.given(0);
    private boolean standbySlot;
    private Answer<Boolean> copyDirectory = Answer.given(false);
    private Answer<List<Tablespace>> tablespaces = Answer.given(List.of());
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

    /** Where it says that it listens. */
    public Servers address(String host) {
        this.address = host;
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

    public Servers osUser(Answer<OsUser> f) {
        this.osUser = f;
        return this;
    }

    public Servers bytes(long n) {
        return bytes(Answer.given(n));
    }

    public Servers bytes(Answer<Long> f) {
        this.bytes = f;
        return this;
    }

    public Servers backups(Answer<List<RunningBackup>> f) {
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

    public Servers autoConf(Answer<AutoConf> is) {
        this.autoConf = is;
        return this;
    }

    public Servers interlock(boolean there) {
        return interlock(Answer.given(there));
    }

    public Servers interlock(Answer<Boolean> f) {
        this.interlock = f;
        return this;
    }

    public Servers configErrors(Answer<List<ConfigError>> f) {
        this.configErrors = f;
        return this;
    }

    public Servers standbys(Answer<Integer> f) {
        this.standbys = f;
        return this;
    }

    /** The directory of a copy is there. */
    public Servers copyDirectory(boolean there) {
        this.copyDirectory = Answer.given(there);
        return this;
    }

    public Servers standbySlot(boolean there) {
        this.standbySlot = there;
        return this;
    }

    public Servers tablespaces(Answer<List<Tablespace>> f) {
        this.tablespaces = f;
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

    /** What it counted. */
    public Servers checksumFailures(Answer<List<ServerFacts.ChecksumFailures>> f) {
        this.failures = f;
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
                Answer.given(system),
                recovery,
                superuser,
                started,
                Answer.given("/var/lib/postgresql/data/pgdata"),
                Answer.given("/var/lib/postgresql/data/pgdata/postgresql.conf"),
                Answer.given("/usr/lib/postgresql/17/bin"),
                Answer.given(address),
                Answer.given(5432),
                osUser,
                Answer.absent("no SELinux"),
                Answer.given(List.of()),
                bytes,
                tablespaces,
                backups,
                ignoreFailure,
                functions,
                interlock,
                configErrors,
                8,
                standbys,
                fork,
                pooler,
                failures,
                autoConf,
                standbySlot,
                copyDirectory);
    }
}
