package dev.datachecksums.e2e.scenario;

import dev.datachecksums.e2e.testbed.PostgresSpec;

/**
 * A server whose binaries lie in its volume, so that the Job takes a pg_checksums from there that does what a scenario wants. It looks for
 * files in the volume's root:
 *
 * <ul>
 *   <li>{@code hold-version}: it does not say its version before the file has gone, so that the Job does not get ready
 *   <li>{@code wrong-version}: it is of version 12
 *   <li>{@code hold}: it waits before its first page; {@code running} says that it does
 *   <li>{@code hold-link}: {@code ln}, which comes just before a copy recovers to the end, waits; {@code linking} says that it does
 *   <li>{@code slow}: the real one is stopped most of the time, and so is in the middle of its work for long
 * </ul>
 */
final class Tools {
    private static final String PG_CHECKSUMS = """
            #!/bin/sh
            volume=${0%/tools/*} last=
            case "$*" in
              *--version*)
                while [ -e "$volume/hold-version" ]; do sleep .02; done
                [ ! -e "$volume/wrong-version" ] || { echo 'pg_checksums (PostgreSQL) 12.3'; exit; } ;;
              *)
                : >"$volume/running"
                while [ -e "$volume/hold" ]; do sleep .02; done
                if [ -e "$volume/slow" ]; then
                  last='nice -n 19' # after the one who stops it: on a busy machine that is late otherwise
                  read -r self rest </proc/self/stat
                  (
                    exec 6<&- 7>&- 8<&- 9>&- >/dev/null 2>&1
                    sleep .02
                    while [ -e "$volume/slow" ] && kill -STOP "$self"; do
                      sleep .2
                      kill -CONT "$self" || exit
                      sleep .01
                    done
                  ) &
                fi ;;
            esac
            exec $last REAL/pg_checksums "$@"
            """;

    private static final String LN = """
            #!/bin/sh
            volume=${0%/tools/*}
            : >"$volume/linking"
            while [ -e "$volume/hold-link" ]; do sleep .02; done
            PATH=$(printf %s "$PATH" | sed "s#$volume/tools:##g")
            exec ln "$@"
            """;

    /** Directory of the real programs into real; ours, with the server itself, into volume/tools; in a bin it would look for its library beside that. */
    private static final String PREPARE = """
            set -eu
            volume=${PGDATA%/*} bin=${PGDATA%/*}/tools
            real=$(dirname "$(readlink -f "$(command -v postgres)")")
            mkdir -p "$bin"
            if [ ! -e "$bin/postgres" ]; then
              cp "$real/postgres" "$bin/new" && mv "$bin/new" "$bin/postgres"
              printf '%s' "$PG_CHECKSUMS" | sed "s:REAL:$real:" >"$bin/pg_checksums"
              printf '%s' "$LN" >"$bin/ln"
              chmod +x "$bin/pg_checksums" "$bin/ln"
            fi
            if [ ! -s "$PGDATA/PG_VERSION" ]; then
              mkdir -p -m 700 "$PGDATA"
              (umask 077; printf '%s\\n' "$POSTGRES_PASSWORD" >"$volume/password")
              "$real/initdb" -N -U postgres --pwfile="$volume/password" --auth-local=trust --auth-host=scram-sha-256 \\
                -E UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS -D "$PGDATA"
              rm "$volume/password"
              echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
            fi
            set -- -D "$PGDATA" -c listen_addresses="${POD_IP:-*}" \\
              -c unix_socket_directories="${SOCKET_DIRECTORY:-/var/run/postgresql}" "$@"
            """;

    private static final String SERVE = "exec \"$bin/postgres\" \"$@\"\n";

    /** The shell is process 1, and passes a request to stop on as TERM: a shutdown that waits for every client. */
    private static final String SERVE_BEHIND_A_SHELL = """
            "$bin/postgres" "$@" & child=$!
            trap 'kill -TERM $child' TERM INT
            while kill -0 "$child" 2>/dev/null; do wait "$child" || :; done
            """;

    /** The shell is process 1, and passes nothing on. */
    private static final String SERVE_BEHIND_A_DEAF_SHELL = """
            trap '' TERM INT
            (trap - TERM INT; exec "$bin/postgres" "$@") & child=$!
            while kill -0 "$child" 2>/dev/null; do wait "$child" || :; done
            """;

    private Tools() {}

    static PostgresSpec on(PostgresSpec spec) {
        return started(spec, SERVE);
    }

    static PostgresSpec behindShell(PostgresSpec spec) {
        return started(spec, SERVE_BEHIND_A_SHELL);
    }

    static PostgresSpec behindDeafShell(PostgresSpec spec) {
        return started(spec, SERVE_BEHIND_A_DEAF_SHELL);
    }

    private static PostgresSpec started(PostgresSpec spec, String serve) {
        String tool = "PG_CHECKSUMS=" + quoted(PG_CHECKSUMS) + "\nLN=" + quoted(LN) + "\n";
        return spec.withCommand("sh", "-c", tool + PREPARE + serve, "server");
    }

    private static String quoted(String script) {
        return "'" + script.replace("'", "'\\''") + "'";
    }
}
