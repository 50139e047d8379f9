# TemporaryStandby, in the pod of the offline Job (args: sh -c SCRIPT), as the owner of the data directory: a copy of the directory on the same
# volume is recovered, converted and kept up as a standby while the server serves. At the server's next stop it takes over the WAL, is proven, and
# changes places with the directory. Started again in any state it first restores service, as mode lift does, and then begins anew.
#
# THE PROTOCOL
# Environment, besides that of in-place.sh (all of it holds here; DCK_MODE=enable|lift; DCK_SYNC is for pg_checksums on the copy):
#   DCK_HOST, DCK_PORT       the server itself, no pooler (required); asked by SQL too, in both modes
#   PGUSER, PGPASSWORD, PGDATABASE (postgres): a superuser, as libpq reads them
#   DCK_SSLMODE              as libpq's sslmode (prefer)
#   DCK_CA                   the certificates to trust, PEM
#   DCK_CERTIFIED            what the server's certificate has to name, for verify-full; DCK_HOST is the address
#   DCK_SLOT                 name of the replication slot that keeps the WAL (data_checksums_copy)
#   DCK_MAX_COPY_RATE        bytes a second that are read for the copy, its conversion and its verification; 0: no limit (0)
#   DCK_FLOOR                bytes that must stay free on the volumes, below it copy and slot are dropped (536870912)
#   DCK_NEAR                 bytes of WAL that the stopped server may be ahead when the script says armed (33554432)
#   DCK_WAY                  journal: never exchange atomically (tests)
#   DCK_SERVE_FOR            s to wait for the new server's word after the swap (3600)
# The Job needs memory for a small server beside the page cache: a limit of at least 512Mi. /tmp of its own, as in place. No fsGroup.
# Output as in place, these steps in this order:
# | step          | more fields                        | means |
# |---------------|------------------------------------|-------|
# | started       |                                    | the script runs |
# | restored      | wal, line, copy, slot (booleans)   | what an earlier, killed run had left is put back or removed |
# | copying       | doneBytes, totalBytes, way         | about once a second; way of the exchange: atomic or journal |
# | copied        | bytes                              | |
# | recovered     |                                    | the copy has replayed to consistency and is shut down |
# | converting    | doneBytes, totalBytes              | pg_checksums --enable on the copy, about once a second |
# | copyConverted |                                    | the copy's control file says so; the server serves on without |
# | following     | behindBytes                        | a round of replay begins, this far behind |
# | verifying     | doneBytes, totalBytes              | pg_checksums --check on the copy, about once a second |
# | ready         | as in place, and behindBytes       | **the operator may write the line.** It goes on following meanwhile, silently or with `following` |
# | armed         | behindBytes                        | the line is seen, the copy is near: **the operator stops the server**. Comes up to a minute after the line |
# | stopped       |                                    | the pid file has gone |
# | handedOver    | location                           | WAL and slots are the copy's, the server's last checkpoint is known |
# | proven        | location                           | recovery ended exactly there; shut down, checksums, same system, same timeline |
# | swapped       |                                    | the directories have changed places: from here on forward only |
# | converted     | checksums                          | the control file in PGDATA says so |
# | lifted        |                                    | no line: **a server may start** (the hold is released, as in place) |
# | serving       |                                    | the new server is ready, on a directory with checksums |
# | cleaned       |                                    | the old directory is removed; no slot is left |
# | done          | checksums                          | the end, well |
# | liftFailed    | message                            | restoring failed, and is being tried again |
# | refused, failed | reason, message, lifted, slot, copy | the end, otherwise. lifted: a server may start; slot: the slot may still be there,
# |               |                                    | **drop it by SQL**; copy: our directory is still there, **run a lift Job once the server serves** |
# Mode lift restores service from any state, also after a conversion in place that nobody remembers, and says restored (if anything was left) and
# lifted, with the fields slot and copy: back to the unconverted directory as long as nothing was swapped, forward as soon as the exchange has begun
# (both sides of it are sound). It ends within a second or two unless a copy has to be removed: `lifted` is said as soon as a server may start, and
# again, with the fields, at the end. A lift after `swapped` keeps the old directory until a server has started on the new one (copy: true): run it
# again then. It never waits for a server.
# Once `swapped` is said the try has converted, whatever comes after: failed (reason NotServing) then only means that the old directory stays.
# Reasons, refused: those of in-place.sh, and BadHost NotSuperuser InRecovery WalLevel NoFreeSlot Unlogged Tablespaces AccessMethods WalManagers
# OnlineFunctions ClosedDatabase BackupLabel NoRoom BadPath. Failed: those of in-place.sh, and Sql BackupRunning BackupEnded CopyFailed SlotLost
# NoRoom (less than DCK_FLOOR is free: copy and slot are dropped) RecoveryFailed CopyBroken (the copy's checksums do not hold) UnloggedCameUp
# TablespaceCameUp HandOverFailed ProofFailed (the copy does not hold what the server held: it is not swapped in) SwapFailed.
# Exit status as in place.
# On disk: beside PGDATA as PGDATA.dck if the two can change places atomically, else inside as dck.copy: new (the copy; after an atomic exchange
# the old directory), wal (the server's pg_wal while it is handed over), keep (the segment that the copy's recovery writes to), marks.

# ---- checks of its own, while the server serves
check_more_input() {
  [ "$DCK_MODE" != disable ] || refuse BadInput 'Checksums are disabled in place: that changes one file only.'
  case ${DCK_SLOT:=data_checksums_copy} in *[!a-z0-9_]*) refuse BadInput "DCK_SLOT is '$DCK_SLOT': give lower-case letters, digits and underscores." ;; esac
  for n in "${DCK_MAX_COPY_RATE:=0}" "${DCK_FLOOR:=536870912}" "${DCK_NEAR:=33554432}" "${DCK_SERVE_FOR:=3600}"; do
    case $n in '' | *[!0-9]* | ????????????????*) refuse BadInput "A limit is '$n': give a whole number." ;; esac
  done
  [ -n "${DCK_HOST:-}" ] || refuse BadInput 'DCK_HOST is empty: give the address of the server.'
  case $DCK_MODE$D in lift*) ;; *[!A-Za-z0-9/._-]*) refuse BadPath "The path $D has characters that a restore_command cannot carry: convert in place." ;; esac
  case $DCK_MODE in lift) needs='cmp cp cut mktemp' ;; *) needs='cmp cp cut df du head ln mkdir mkfifo mktemp tail touch uname' ;; esac
  for tool in $needs; do
    command -v "$tool" >/dev/null || refuse ToolMissing "$tool is not in this image: use the server's own image with the usual tools."
  done
}
check_server() {
  for tool in postgres psql; do command -v "$tool" >/dev/null || refuse ToolMissing "$tool is not in this image's PATH: use the server's own image, or set DCK_BINDIR."; done
  live 'show server_version_num' || fail Sql "The server does not answer our questions: $ANSWER"
  V=$ANSWER
  control; field 'Database system identifier'
  ask BadHost "select 1 where (select system_identifier::text from pg_control_system()) <> '$VALUE' or abs(extract(epoch from pg_postmaster_start_time()) - $START) > 10" \
    "$DCK_HOST:$PGPORT is not the server of this directory."
  ask NotSuperuser "select 1 where not (select rolsuper from pg_roles where rolname = current_user)" 'The user is no superuser: give one.'
  ask InRecovery 'select 1 where pg_is_in_recovery()' 'The server is a standby: convert it in place.'
  ask WalLevel "select 1 where current_setting('wal_level') = 'minimal'" 'wal_level is minimal: set it to replica.'
  ask OnlineFunctions "select 1 from pg_proc where proname = 'pg_enable_data_checksums'" 'This server converts online.'
  ask NoFreeSlot "select 1 where (select count(*) from pg_replication_slots where slot_name <> '$DCK_SLOT') >= current_setting('max_replication_slots')::int" \
    'No replication slot is free: raise max_replication_slots.'
  ask ClosedDatabase "select datname from pg_database where not datallowconn and datname <> 'template0'" 'A database takes no connections, so that it cannot be looked into'
  [ "$V" -lt 150000 ] || ask WalManagers 'select rm_name from pg_get_wal_resource_managers() where not rm_builtin' 'An extension has WAL records of its own that the copy could not replay'
  backup_runs && fail BackupRunning 'A base backup is running: wait for its end.'
  check_access_methods
}
ask() { # REASON QUERY MESSAGE: refuses if the query returns anything, which is added to the message
  live "$2" || fail Sql "The server does not answer our questions: $ANSWER"
  case $ANSWER in '') ;; 1) refuse "$1" "$3" ;; *) refuse "$1" "$3: $ANSWER." ;; esac
}
backup_runs() { live "select 1 from pg_stat_replication where state = 'backup'" && [ -n "$ANSWER" ]; }
check_access_methods() { # what writes no WAL, or files of its own, would be missing in the copy
  live "select datname from pg_database where datallowconn" || fail Sql "The server does not answer our questions: $ANSWER"
  printf '%s\n' "$ANSWER" >"$T/databases"
  while IFS= read -r database <&4; do
    IN=$database; look="select string_agg(distinct amname, ' ') from pg_class c join pg_am a on a.oid = relam where a.oid >= 16384 and amname not in ('bloom', 'hnsw', 'ivfflat', 'rum')"
    live "$look" || { # dropped meanwhile?
      IN='' why=$ANSWER; live "select 1 from pg_database where datname = '$(printf %s "$database" | sed "s/'/''/g")'" && [ -z "$ANSWER" ] || fail Sql "The server does not answer our questions: $why"
      continue
    }
    IN=''; [ -z "$ANSWER" ] || refuse AccessMethods "Access methods in database $database that are not known to write WAL: $ANSWER."
  done 4<"$T/databases"
}
unlogged() { found=$(find "$D/base" -name '*_init' | head -n 1); [ -n "$found" ]; } # every unlogged relation has an init fork; needs no server
tablespaces() { found=$(ls -A "$D/pg_tblspc" | head -n 1); [ -n "$found" ]; }
check_copyable() {
  ! unlogged || refuse Unlogged "There are unlogged relations ($found), which a standby empties: make them logged, or drop them."
  ! tablespaces || refuse Tablespaces "There is a tablespace ($found): convert in place."
  [ ! -e "$D/backup_label" ] || refuse BackupLabel "There is a $D/backup_label: a backup by the old interface runs, or a restore was left half-way."
  choose_way
  SIZE=$(($(du -skc $(data_children "$D") | tail -n 1 | cut -f 1) * 1024))
  free "$D"; [ "$FREE" -ge $((SIZE + DCK_FLOOR)) ] || refuse NoRoom "The copy needs $SIZE bytes and $DCK_FLOOR are to stay free, but only $FREE are: enlarge the volume, or convert in place."
}

# ---- the road
wait_for_line() { # goes on following: the line may come in seconds or in hours
  look_behind; checksums; say_ready "\"behindBytes\":$BEHIND"; clock; end_ready=$((NOW + DCK_READY_FOR * 1000)) next=$((NOW + 10000))
  until line_seen "$end_ready"; do
    nap .2; look_after
    if clock; [ "$NOW" -ge $next ]; then
      look_behind; check_slot; [ "$BEHIND" -lt $((DCK_NEAR * 8)) ] || follow
      clock; next=$((NOW + 10000))
    fi
  done
}
arm() {
  WHY=$(prepare_lift) || fail NoRoom "Could not write $AUTO.dck: $WHY. Make room."
  for round in 1 2 3; do look_behind; [ "$BEHIND" -ge "$DCK_NEAR" ] || break; follow; done
  ! unlogged || fail UnloggedCameUp "Unlogged relations were made meanwhile ($found): make them logged, or drop them."
  ! tablespaces || fail TablespaceCameUp "A tablespace was made meanwhile ($found)."
  ! backup_runs || fail BackupRunning 'A base backup is running: wait for its end.'
  postmaster; [ "$PID $START" = "$SERVER" ] || fail ServerRestarted 'The server was restarted while the conversion was being prepared: try again.'
  say armed "\"behindBytes\":$BEHIND"; LATE=$((NOW + 5000))
}
finish() {
  checksums; SLOT_MADE='' RELOAD=''
  say converted "\"checksums\":$SUMS"; say_lifted
  within "$DCK_SERVE_FOR" serves_converted || fail NotServing "Converted and swapped in, but no server has said so within $DCK_SERVE_FOR s: the old directory is kept in $W."
  say serving; discard || fail SwapFailed "Converted, but $W could not be removed."
  say cleaned; say 'done' "\"checksums\":$SUMS"
}
serves_converted() { # by the files: the new pod has another address than the one that we know
  ready && checksums && [ "$SUMS" = 1 ]
}

trap leave EXIT; trap 'exit 143' TERM INT QUIT HUP; trap '' PIPE
if sleep .01 2>/dev/null; then FINE=1; else COARSE=1; fi; read -r SELF _ </proc/self/stat # its own id
start_clock; say started; check_input; check_more_input; one_at_a_time; prepare_place; restore_leftovers
if [ "$DCK_MODE" = lift ]; then end_lift; exit 0; fi
check_tools; check_serving
if already_swapped; then finish; exit 0; fi
check_directory; check_state; check_files; check_server; check_copyable; open_progress; begin_watch
make_copy; follow checkpoint; say recovered; convert_copy; follow_closely 1; verify_copy; follow_closely
wait_for_line; arm; await_stop
take_wal; keep_segment; carry_slots; prove; carry_rest; swap; finish
