package dev.datachecksums.operator.postgres;

/** Why a server could not be asked, told by SQLSTATE, or by the kind of failure where there is no SQLSTATE. */
public enum ServerProblem {
    /** No connection: unknown host, refused, reset (08001, 08006 and their causes). May pass by itself. */
    UNREACHABLE,
    /** No answer in time: connecting, a statement (57014) or a lock (55P03). May pass by itself. */
    TIMED_OUT,
    /** Wrong user or password, or pg_hba.conf has no entry for us (28P01, 28000), or a method that we do not know. */
    AUTHENTICATION_FAILED,
    /** No encryption where it is required, or a certificate that does not verify. */
    TLS_FAILED,
    /** What answers at this port does not speak PostgreSQL's protocol (08P01). */
    NOT_POSTGRES,
    /** The server takes no connections just now: starting, recovering; some answer so while stopping too (57P03). Passes by itself. */
    STARTING_UP,
    /** The session was ended by a shutdown, a crash or an administrator (57P01, 57P02). */
    SHUTTING_DOWN,
    /** No connection slot is free (53300). */
    TOO_MANY_CONNECTIONS,
    /** The named database does not exist (3D000). */
    NO_SUCH_DATABASE,
    /** The role may not do this (42501). */
    PERMISSION_DENIED,
    /** A pooler or proxy answers instead of the server, where the server itself is needed. */
    BEHIND_POOLER,
    /** A program that the server was asked to run failed (38000). */
    PROGRAM_FAILED,
    /** The server would refuse its next start, by its own word on its configuration files. */
    CONFIGURATION_BROKEN,
    /** Anything else: the SQLSTATE and the server's words are in the message. */
    OTHER
}
