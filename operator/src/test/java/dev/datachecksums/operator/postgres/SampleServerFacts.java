package dev.datachecksums.operator.postgres;

import dev.datachecksums.operator.postgres.ServerFacts.ChecksumFailures;
import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import dev.datachecksums.operator.postgres.ServerFacts.Database;
import dev.datachecksums.operator.postgres.ServerFacts.OsUser;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import dev.datachecksums.operator.postgres.ServerFacts.Tablespace;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts of a healthy 15 without checksums, any of which a test may change: {@code new SampleServerFacts().inRecovery(true).get()}. */
public final class SampleServerFacts {
    private Instant observedAt = Instant.parse("2026-11-30T12:00:00Z");
    private int serverVersionNum = 150018;
    private String serverVersion = "15.18";
    private String fullVersion = "PostgreSQL 15.18 on x86_64-pc-linux-gnu";
    private ChecksumState checksums = ChecksumState.OFF;
    private Answer<String> systemIdentifier = Answer.given("7714057436666134550");
    private boolean inRecovery = false;
    private boolean superuser = true;
    private Instant postmasterStartTime = Instant.parse("2026-11-30T10:00:00Z");
    private Answer<String> dataDirectory = Answer.given("/var/lib/postgresql/data");
    private Answer<String> configFile = Answer.given("/var/lib/postgresql/data/postgresql.conf");
    private Answer<String> binDir = Answer.given("/usr/lib/postgresql/15/bin");
    private Answer<String> serverAddress = Answer.given("10.244.0.7");
    private Answer<Integer> serverPort = Answer.given(5432);
    private Answer<OsUser> osUser = Answer.given(new OsUser(999, 999));
    private Answer<String> seLinuxLevel = Answer.absent("SELinux is not enabled there");
    private Answer<List<Database>> databases = Answer.given(List.of(new Database("postgres", 5, 7_634_279L, -1, true)));
    private Answer<Long> totalBytes = Answer.given(23_121_609L);
    private Answer<List<Tablespace>> tablespaces = Answer.given(List.of());
    private Answer<List<RunningBackup>> runningBackups = Answer.given(List.of());
    private boolean ignoreChecksumFailure = false;
    private boolean onlineFunctions = false;
    private Answer<Boolean> interlockPresent = Answer.given(false);
    private Answer<List<ConfigError>> configErrors = Answer.given(List.of());
    private int maxWorkerProcesses = 8;
    private Answer<Integer> streamingStandbys = Answer.given(0);
    private @Nullable String fork;
    private @Nullable String pooler;
    private Answer<List<ChecksumFailures>> checksumFailures =
            Answer.absent("the server counts failures only while checksums are on");

    public SampleServerFacts observedAt(Instant value) {
        this.observedAt = value;
        return this;
    }

    public SampleServerFacts serverVersionNum(int value) {
        this.serverVersionNum = value;
        return this;
    }

    public SampleServerFacts serverVersion(String value) {
        this.serverVersion = value;
        return this;
    }

    public SampleServerFacts fullVersion(String value) {
        this.fullVersion = value;
        return this;
    }

    public SampleServerFacts checksums(ChecksumState value) {
        this.checksums = value;
        return this;
    }

    public SampleServerFacts systemIdentifier(Answer<String> value) {
        this.systemIdentifier = value;
        return this;
    }

    public SampleServerFacts inRecovery(boolean value) {
        this.inRecovery = value;
        return this;
    }

    public SampleServerFacts superuser(boolean value) {
        this.superuser = value;
        return this;
    }

    public SampleServerFacts postmasterStartTime(Instant value) {
        this.postmasterStartTime = value;
        return this;
    }

    public SampleServerFacts dataDirectory(Answer<String> value) {
        this.dataDirectory = value;
        return this;
    }

    public SampleServerFacts configFile(Answer<String> value) {
        this.configFile = value;
        return this;
    }

    public SampleServerFacts binDir(Answer<String> value) {
        this.binDir = value;
        return this;
    }

    public SampleServerFacts serverAddress(Answer<String> value) {
        this.serverAddress = value;
        return this;
    }

    public SampleServerFacts serverPort(Answer<Integer> value) {
        this.serverPort = value;
        return this;
    }

    public SampleServerFacts osUser(Answer<OsUser> value) {
        this.osUser = value;
        return this;
    }

    public SampleServerFacts seLinuxLevel(Answer<String> value) {
        this.seLinuxLevel = value;
        return this;
    }

    public SampleServerFacts databases(Answer<List<Database>> value) {
        this.databases = value;
        return this;
    }

    public SampleServerFacts totalBytes(Answer<Long> value) {
        this.totalBytes = value;
        return this;
    }

    public SampleServerFacts tablespaces(Answer<List<Tablespace>> value) {
        this.tablespaces = value;
        return this;
    }

    public SampleServerFacts runningBackups(Answer<List<RunningBackup>> value) {
        this.runningBackups = value;
        return this;
    }

    public SampleServerFacts ignoreChecksumFailure(boolean value) {
        this.ignoreChecksumFailure = value;
        return this;
    }

    public SampleServerFacts onlineFunctions(boolean value) {
        this.onlineFunctions = value;
        return this;
    }

    public SampleServerFacts interlockPresent(Answer<Boolean> value) {
        this.interlockPresent = value;
        return this;
    }

    public SampleServerFacts configErrors(Answer<List<ConfigError>> value) {
        this.configErrors = value;
        return this;
    }

    public SampleServerFacts maxWorkerProcesses(int value) {
        this.maxWorkerProcesses = value;
        return this;
    }

    public SampleServerFacts streamingStandbys(Answer<Integer> value) {
        this.streamingStandbys = value;
        return this;
    }

    public SampleServerFacts fork(@Nullable String value) {
        this.fork = value;
        return this;
    }

    public SampleServerFacts pooler(@Nullable String value) {
        this.pooler = value;
        return this;
    }

    public SampleServerFacts checksumFailures(Answer<List<ChecksumFailures>> value) {
        this.checksumFailures = value;
        return this;
    }

    public ServerFacts get() {
        return new ServerFacts(
                observedAt,
                serverVersionNum,
                serverVersion,
                fullVersion,
                checksums,
                systemIdentifier,
                inRecovery,
                superuser,
                postmasterStartTime,
                dataDirectory,
                configFile,
                binDir,
                serverAddress,
                serverPort,
                osUser,
                seLinuxLevel,
                databases,
                totalBytes,
                tablespaces,
                runningBackups,
                ignoreChecksumFailure,
                onlineFunctions,
                interlockPresent,
                configErrors,
                maxWorkerProcesses,
                streamingStandbys,
                fork,
                pooler,
                checksumFailures,
                Answer.given(AutoConf.PLAIN),
                false,
                Answer.given(false));
    }
}
