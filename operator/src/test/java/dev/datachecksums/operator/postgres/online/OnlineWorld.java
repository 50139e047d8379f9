package dev.datachecksums.operator.postgres.online;

import dev.datachecksums.operator.postgres.ServerTarget;

/** A server that a contract is tried on, real or scripted, and what others do to it meanwhile. */
interface OnlineWorld extends AutoCloseable {
    /** Something that stands until it is closed. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    OnlineServer server();

    /** As a superuser, in database postgres. */
    ServerTarget target();

    ServerTarget target(String database);

    /** As a role that is no superuser but may execute both functions. */
    ServerTarget granted();

    /** A table of about so many blocks. */
    void table(String database, String name, int blocks);

    void createDatabase(String name);

    /** One that nobody may connect to. */
    void createClosedDatabase(String name);

    /** One whose removal was interrupted. */
    void createInvalidDatabase(String name);

    /** DROP DATABASE ... WITH (FORCE). */
    void dropDatabase(String name);

    /** CREATE DATABASE ... STRATEGY file_copy; false if the server refuses. */
    boolean createDatabaseByFileCopy(String name);

    /** A transaction that has written and stays open. */
    Held writer();

    /** A transaction that has only read and stays open. */
    Held reader();

    /** A session with a temporary table. */
    Held temporaryTable(String database);

    /** A table that a session keeps locked. */
    Held lock(String database, String table);

    /** A session whose process does not move. */
    Held frozen();

    /** A transaction whose commit waits for a synchronous standby that is not there. */
    Held unconfirmed();

    /** Rows that a role without any right sees in the server's view of its progress. */
    int rowsSeenByAnybody();

    /** And how many of them have a phase. */
    int phasesSeenByAnybody();

    /** The state's number in the control file, as pg_controldata has it: pg_control_init() says 0 meanwhile. */
    int version();

    void terminateWorker();

    void cancelLauncher();

    void terminateLauncher();

    void restart();

    /** Restarted so that this many background workers are allowed. */
    void restartWithWorkers(int max);

    /** A streaming standby of it. */
    Standby standby();

    @Override
    void close();

    /** A standby, asked through the same {@link #server()}. */
    interface Standby extends AutoCloseable {
        ServerTarget target();

        void promote();

        @Override
        void close();
    }
}
