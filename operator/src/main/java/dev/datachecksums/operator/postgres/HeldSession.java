package dev.datachecksums.operator.postgres;

import java.time.Duration;
import java.time.Instant;

/**
 * A superuser's session that is kept while a server is made ready for its stop, and by which it is stopped. Every call is bounded. Calls
 * from several threads run one after another. After the server's end {@link #isAlive} is false and every other call fails.
 */
public interface HeldSession extends AutoCloseable {
    int backendPid();

    /** Of the postmaster that serves this session. */
    Instant postmasterStartTime();

    /** Asks the server; false once the session is of no more use. */
    boolean isAlive();

    /**
     * CHECKPOINT, so that the stop has little left to write.
     *
     * @param atMost it is cancelled after that (TIMED_OUT); what it wrote so far is written all the same
     */
    void checkpoint(Duration atMost) throws ServerException;

    /**
     * Writes the line, durably, and returns once the server itself reads it back as an error, with no ALTER SYSTEM under way that could
     * still undo it. Written again if one did. Written already: no effect.
     *
     * @throws ServerException PROGRAM_FAILED if the file is no plain file or cannot be written, CONFIGURATION_BROKEN if the server could
     *     not start again with the configuration as it is; nothing was changed then
     */
    void writeInterlock(Interlock interlock) throws ServerException;

    /**
     * Removes the line, keeps every other byte, reloads the configuration. If other lines follow it, it stays as a comment, which the next
     * ALTER SYSTEM drops. No effect but the reload if there is none.
     */
    void liftInterlock() throws ServerException;

    /** Reads the files at this moment. */
    boolean interlockPresent() throws ServerException;

    /** Fast shutdown, whatever signal the image stops with. Returns once it was sent; the session dies of it. */
    void fastShutdown() throws ServerException;

    @Override
    void close();
}
