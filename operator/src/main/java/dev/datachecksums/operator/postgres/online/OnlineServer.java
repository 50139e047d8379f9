package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a server to switch its checksums while it serves, and asks how that goes. Every call is a short, bounded conversation of its
 * own: the work is done by processes of the server, which outlive it. What a refusal means: {@link Refusal}.
 */
public interface OnlineServer {
    /**
     * {@code pg_enable_data_checksums}: returns as soon as the server has registered its launcher, before anything is done. During a
     * run it only passes on the throttle, which holds from the next relation. Of no effect where checksums are on.
     */
    void enable(ServerTarget target, Throttle throttle) throws ServerException;

    /** {@code pg_disable_data_checksums}: aborts a run that enables. Of no effect where checksums are off. */
    void disable(ServerTarget target) throws ServerException;

    /** How it goes, at one moment. */
    default OnlineFacts read(ServerTarget target) throws ServerException {
        return read(target, null);
    }

    /**
     * The same, at less cost to the server.
     *
     * @param sized an earlier answer, whose databases and sizes are taken over: to measure them, the server looks at every file it has
     */
    OnlineFacts read(ServerTarget target, @Nullable OnlineFacts sized) throws ServerException;

    /**
     * The relations of the target's database in the order in which a worker that starts now would go through them.
     *
     * @param sharedToo with the shared catalogs, which the worker of the first database goes through too
     */
    List<RelationSize> relations(ServerTarget target, boolean sharedToo) throws ServerException;

    /** Temporary tables that exist in the target's database, by session; those that no session owns any more too. */
    List<TemporaryTables> temporaryTables(ServerTarget target) throws ServerException;

    /** Bytes free where the server keeps its WAL. Runs a program at the server. */
    DiskSpace walSpace(ServerTarget target) throws ServerException;

    /**
     * Ends exactly those sessions: a process id that another session has meanwhile is left alone.
     *
     * @return those that were told to end
     */
    List<SessionId> terminate(ServerTarget target, List<SessionId> sessions) throws ServerException;
}
