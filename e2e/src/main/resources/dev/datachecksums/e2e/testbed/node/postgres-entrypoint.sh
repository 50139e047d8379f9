# What the entry point of a postgres image does, for a local server. Arguments: the server's.
# POD_IP and SOCKET_DIRECTORY stand for what a container's network and file system give.
set -eu
superuser=${POSTGRES_USER:-postgres}
mkdir -p "$PGDATA"
chmod 0700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    if [ -z "${POSTGRES_PASSWORD:-}" ] && [ "${POSTGRES_HOST_AUTH_METHOD:-}" != trust ]; then
        echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
        exit 1
    fi
    password=$SOCKET_DIRECTORY/password
    (umask 077; printf '%s\n' "${POSTGRES_PASSWORD:-}" >"$password")
    # shellcheck disable=SC2086
    initdb -N --username="$superuser" ${POSTGRES_PASSWORD:+--pwfile="$password"} \
        --auth-local=trust --auth-host="${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" -E UTF8 --locale=C.UTF-8 \
        ${POSTGRES_INITDB_ARGS:-} -D "$PGDATA"
    rm -f "$password"
    printf '\nhost all all all %s\n' "${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" >>"$PGDATA/pg_hba.conf"
    database=${POSTGRES_DB:-$superuser}
    if [ "$database" != postgres ]; then
        printf 'create database "%s"\n' "$database" | postgres --single -D "$PGDATA" postgres >/dev/null
    fi
    echo 'PostgreSQL init process complete; ready for start up.'
fi
unset POSTGRES_PASSWORD
exec postgres -c listen_addresses="$POD_IP" -c unix_socket_directories="$SOCKET_DIRECTORY" "$@"
