package dev.datachecksums.operator.decide.online;

import dev.datachecksums.operator.postgres.online.OldTransaction;
import dev.datachecksums.operator.postgres.online.SessionFacts;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Sessions and transactions as a reader is told of them: the first few, and how many more there are. */
public final class Sessions {
    private static final int NAMED = 5;

    private Sessions() {}

    /** Transactions, with their sessions. */
    public static String words(List<OldTransaction> transactions, Instant now) {
        return joined(transactions.stream()
                .map(t -> t instanceof OldTransaction.Prepared p
                        ? "prepared transaction " + p.gid() + " of " + p.owner() + ", since " + p.since()
                        : Words.session(((OldTransaction.OfSession) t).session(), now))
                .toList());
    }

    /** Sessions. */
    public static String of(List<SessionFacts> sessions, Instant now) {
        return joined(sessions.stream().map(s -> Words.session(s, now)).toList());
    }

    private static String joined(List<String> all) {
        return all.stream().limit(NAMED).collect(Collectors.joining("; "))
                + (all.size() > NAMED ? " and " + (all.size() - NAMED) + " more" : "");
    }
}
