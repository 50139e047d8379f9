package dev.datachecksums.operator.postgres.online;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the server's wait events, and what its processes say while they wait. */
public final class Waits {
    /** The launcher waits for transactions that are older than the run; looked at again every 3 s. */
    public static final String START_CONDITION = "ChecksumEnableStartcondition";
    /** The worker waits for temporary tables; looked at again every 3 s. */
    public static final String TEMPORARY_TABLES = "ChecksumEnableTemptableWait";
    /** A session waits for its commit to be confirmed by a synchronous standby. */
    public static final String SYNC_REPLICATION = "SyncRep";

    private static final Pattern OLDER = Pattern.compile("Waiting for transactions older than (\\d+) to end");

    private Waits() {}

    /** Whether it waits until every process has taken note of a new state. */
    public static boolean barrier(OnlineProgress.Task process) {
        return process.waits() != null
                && process.waits().toLowerCase(java.util.Locale.ROOT).endsWith(":procsignalbarrier");
    }

    /** The transaction id before which all have to end, if that is what the launcher waits for. */
    public static OptionalLong forTransactionsBefore(OnlineProgress.Launcher launcher) {
        String words = launcher.process().activity();
        Matcher m = OLDER.matcher(words == null ? "" : words);
        return m.matches() ? OptionalLong.of(Long.parseLong(m.group(1))) : OptionalLong.empty();
    }
}
