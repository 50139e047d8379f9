# TemporaryStandby, while the server serves: the copy is made, recovered, converted, and follows. Nothing here touches the data directory.
W='' N='' P='' T='' V='' O='' WORK='' SESSION='' ANSWER='' AT='' BEHIND=0 LOOK=0 WAY='' SLOT_MADE='' PAUSE=.05 ROUND='' LATE=0
export PGCONNECT_TIMEOUT=3 PGHOST="${DCK_CERTIFIED:-${DCK_HOST:-}}" PGHOSTADDR="${DCK_CERTIFIED:+${DCK_HOST:-}}" PGSSLMODE="${DCK_SSLMODE:-prefer}" PGPORT="${DCK_PORT:-5432}" PGDATABASE="${PGDATABASE:-postgres}" PGAPPNAME=data-checksums
export PGOPTIONS='-c statement_timeout=0 -c lock_timeout=0 -c client_min_messages=warning -c search_path=pg_catalog'

# ---- asking the server, minding a work that takes its time
live() { # QUERY: into $ANSWER, the error otherwise; in the background, so that a trap runs at once
  PGDATABASE=${IN:-$PGDATABASE} psql -wXAtq -v ON_ERROR_STOP=1 -c "$1" >"$T/answer" 2>&1 </dev/null & CHILD=$!
  wait "$CHILD"; status=$? CHILD=''; ANSWER=$(cat "$T/answer"); return $status
}
free() { FREE=$(($(df -kP "$1" | awk 'NR == 2 { print $4 }') * 1024)); }
look_after() { # once a second: the volumes must not run full through us
  clock; [ "$NOW" -ge "$LOOK" ] || return 0
  LOOK=$((NOW + 1000))
  for place in "$D" "$D/pg_wal/."; do
    [ -d "$place" ] || continue
    free "$place"; [ "$FREE" -ge "$DCK_FLOOR" ] || fail NoRoom "Only $FREE bytes are free at $place, $DCK_FLOOR are to stay: copy and slot were dropped. Enlarge the volume, or convert in place."
  done
}
attend() { # POLL COMMAND...: runs it beside us, polls meanwhile; its exit status
  poll=$1; shift; "$@" & WORK=$!
  echo "$WORK" >"$T/work"; clock; BEGAN=$NOW
  while kill -0 "$WORK" 2>/dev/null; do "$poll"; nap "$PAUSE"; done
  wait "$WORK"; status=$? WORK=''; rm -f "$T/work"; return $status
}
while_armed() { # the stop comes late: another round, so that what is left to replay stays little
  look_after
  if [ -n "$ROUND" ]; then
    kill -0 "$ROUND" 2>/dev/null || { wait "$ROUND"; ROUND='' LATE=$((NOW + 5000)); } 2>/dev/null
  elif [ "$NOW" -ge "$LATE" ] && [ "$STATUS" != stopping ]; then
    ( follow ) >/dev/null 2>&1 & ROUND=$!
  fi
}
end_round() { # its postmaster is told by its own name: the shell between us is killed first, so that it starts nothing more
  [ -n "$ROUND" ] || return 0
  { kill -KILL "$ROUND"; wait "$ROUND"; } 2>/dev/null; ROUND=''
  [ -s "$T/work" ] && exists "$N/postmaster.pid" || return 0
  WORK=$(cat "$T/work"); { kill -QUIT "$WORK"; } 2>/dev/null
  within 6 gone || kill -KILL "$WORK" 2>/dev/null
  WORK=''
}
gone() { ! kill -0 "$WORK" 2>/dev/null || ! exists "$N/postmaster.pid"; }
end_work() { # a postmaster takes its children along if it is told; then nothing of ours writes any more
  [ -z "$SESSION" ] || { kill -KILL "$SESSION"; wait "$SESSION"; } 2>/dev/null; SESSION=''
  end_round; [ -n "$WORK" ] || return 0
  { kill -CONT "$WORK"; kill -QUIT "$WORK"; } 2>/dev/null
  for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$WORK" 2>/dev/null || break; sleep "${FINE:+.1}${COARSE:+1}"; done
  kill -KILL "$WORK" 2>/dev/null; wait "$WORK" 2>/dev/null; WORK=''
}
begin_watch() { # if this shell is killed, no trap runs: then nothing may write on
  ( exec 9>&- 5>&-; trap - EXIT TERM INT QUIT HUP
    while kill -0 "$SELF" 2>/dev/null; do sleep 1; done
    [ ! -s "$T/work" ] || { w=$(cat "$T/work"); kill -CONT "$w"; kill -QUIT "$w"; sleep 1; kill -KILL "$w"; } 2>/dev/null
  ) >/dev/null 2>&1 & WATCHER=$!
}
bytes_read() { READ=0; while read -r key value; do [ "$key" != rchar: ] || READ=$value; done 2>/dev/null <"/proc/$WORK/io"; } 2>/dev/null
throttle() { # stops the work as long as it is ahead of the rate
  look_after; [ "$DCK_MAX_COPY_RATE" -gt 0 ] || return 0
  bytes_read; clock; ahead=$((READ * 1000 / DCK_MAX_COPY_RATE - (NOW - BEGAN)))
  [ $ahead -gt 50 ] || return 0
  kill -STOP "$WORK" 2>/dev/null
  until clock; [ $((READ * 1000 / DCK_MAX_COPY_RATE)) -le $((NOW - BEGAN)) ]; do look_after; nap .1; done
  kill -CONT "$WORK" 2>/dev/null
}

# ---- where the copy lies, and how it will change places
exchange_tool() { # two directories change places at once, where system and tools can
  if [ "$TOOL_TO_EXCHANGE" = mv ]; then mv --exchange -T "$1" "$2"; return; fi
  perl -e 'my ($a, $b, $m) = @ARGV; my %n = (x86_64 => 316, aarch64 => 276, riscv64 => 276, ppc64le => 357, s390x => 347);
    exit(defined $n{$m} && syscall($n{$m}, -100, $a, -100, $b, 2) == 0 ? 0 : 1)' "$1" "$2" "$(uname -m)"
}
can_exchange() { # tried on the volume itself
  TOOL_TO_EXCHANGE=perl; ! mv --help 2>&1 | grep -q -e --exchange || TOOL_TO_EXCHANGE=mv
  a=$D.dck.a b=$D.dck.b; rm -rf "$a" "$b"; tried=1
  { mkdir "$a" "$b" && : >"$a/here" && exchange_tool "$a" "$b" && [ -e "$b/here" ] && [ ! -e "$a/here" ]; } 2>/dev/null || tried=0
  rm -rf "$a" "$b"; [ $tried = 1 ]
}
is_mount() { grep -qsF " $D " /proc/self/mountinfo; }
not_ours() { # files beside the data that only their owner could carry over as they are
  for c in "$D"/* "$D"/.[!.]*; do
    ! exists "$c" || is_data "${c##*/}" || find "$c" ! -user "$OWNER"
  done 2>&1 | head -n 1
}
choose_way() {
  if [ "${DCK_WAY:-}" != journal ] && ! is_mount && [ "$(stat -c %d "$P")" = "$(stat -c %d "$D")" ] && [ -w "$P" ] && [ -z "$(not_ours)" ] && can_exchange
  then WAY=atomic W=$D.dck; else WAY=journal W=$D/dck.copy; fi
  N=$W/new
}
SWAPPED_ALWAYS='base global pg_xact pg_multixact pg_commit_ts pg_subtrans pg_twophase pg_replslot pg_logical'
is_data() {
  case $1 in base | global | PG_VERSION | postmaster.* | backup_label | tablespace_map | *.signal | pg_wal | pg_xact | pg_multixact | pg_commit_ts | pg_subtrans | pg_twophase | \
    pg_tblspc | pg_dynshmem | pg_notify | pg_serial | pg_snapshots | pg_stat | pg_stat_tmp | pg_replslot | pg_logical | postgresql.auto.conf* | dck.copy) ;; *) return 1 ;; esac
}
data_children() { for c in base global pg_xact pg_multixact pg_commit_ts pg_twophase pg_logical; do echo "$1/$c"; done; }

# ---- the copy
mark() { printf '%s\n' "${2:-}" >"$W/$1" && sync "$W/$1" "$W"; }; marked() { [ -e "$W/$1" ]; }
make_copy() {
  mkdir -m 700 "$W" || fail CopyFailed "Could not make $W."
  mark way "$WAY"; drop_slot || fail Sql "The slot $DCK_SLOT of an earlier run could not be dropped: $ANSWER"
  SLOT_MADE=1; live "select pg_create_physical_replication_slot('$DCK_SLOT', true)" || fail Sql "The slot $DCK_SLOT could not be made: $ANSWER"
  options; mkdir -m "$(stat -c %a "$D")" "$N"
  SAID_AT=0 STEP=copying TOTAL=$SIZE; begin_backup; attend copying copy_files || copy_is_whole || fail CopyFailed "cp failed: $(tail -n 3 "$W/log")"
  for try in 1 2 3 4 5; do # the server writes it now and then
    case $(pg_controldata -D "$N" 2>&1) in *WARNING* | *error*) cp -p "$D/global/pg_control" "$N/global/pg_control" ;; *) break ;; esac
  done
  end_backup
  for d in pg_wal pg_wal/archive_status pg_wal/summaries pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_subtrans pg_stat pg_stat_tmp pg_tblspc; do mkdir -m 700 "$N/$d"; done
  chmod 500 "$N/pg_tblspc" # a tablespace made from now on would be written to in its place by both: let the copy's recovery fail at it
  cp -p "$D/PG_VERSION" "$N/"; : >"$N/postgresql.auto.conf"; : >"$N/standby.signal"
  same_server; say copied "\"bytes\":$SIZE"
}
same_server() { postmaster; [ "$PID $START" = "$SERVER" ] || fail ServerRestarted 'The server was restarted while the conversion was being prepared: try again.'; }
begin_backup() { # a session that has to live until its end
  start="pg_backup_start('data-checksums', true)"; [ "$V" -ge 150000 ] || start="pg_start_backup('data-checksums', true, false)"
  rm -f "$T/sql" "$T/begun" "$T/ended"; mkfifo "$T/sql"
  psql -wXAtq -v ON_ERROR_STOP=1 "keepalives_idle=30" <"$T/sql" >"$T/backup" 2>&1 & SESSION=$!
  exec 5>"$T/sql"
  [ "$V" -lt 140000 ] || printf 'set idle_session_timeout = 0;\n' >&5
  printf 'select %s;\n\\! touch %s/begun\n' "$start" "$T" >&5
  until [ -e "$T/begun" ]; do in_backup; look_after; nap .1; done
}
in_backup() { kill -0 "$SESSION" 2>/dev/null || fail BackupEnded "The backup's session ended early: $(tail -n 2 "$T/backup")"; }
end_backup() {
  stop='pg_backup_stop(false)'; [ "$V" -ge 150000 ] || stop='pg_stop_backup(false, false)'
  in_backup; printf '\\o %s/label\nselect labelfile from %s;\n\\o\n\\! touch %s/ended\n\\q\n' "$T" "$stop" "$T" >&5
  until [ -e "$T/ended" ]; do in_backup; look_after; nap .1; done
  exec 5>&-; wait "$SESSION"; SESSION=''
  sed '/^$/d' "$T/label" >"$N/backup_label"
  grep -q '^START WAL LOCATION' "$N/backup_label" || fail BackupEnded 'The backup has no label: did the server restart?'
}
copying() { # polled meanwhile
  in_backup; throttle; progress_of_reading
}
progress_of_reading() { clock; [ "$NOW" -ge "$SAID_AT" ] || return 0; bytes_read; SAID_AT=$((NOW + 1000)); say "$STEP" "\"doneBytes\":$READ,\"totalBytes\":$TOTAL,\"way\":\"$WAY\""; }
copy_files() { # only files that vanish, or are replaced, at the source may be missing: the WAL knows what became of them
  reflink=''; ! cp --help 2>&1 | grep -q -e --reflink || reflink=--reflink=auto
  exec cp -a $reflink $(data_children "$D") "$N/" 2>"$W/log"
}
copy_is_whole() { ! grep -v -e "$D/.*: No such file or directory\$" -e 'pg_internal.init' -e "pg_filenode.map.*replaced while being copied" -e "/pg_logical/.*replaced while" "$W/log" >/dev/null; }

# ---- every run of the copy: nothing of the server's configuration acts; what recovery depends on is as in the server
options() {
  O="-c config_file=$W/run.conf -c data_directory=$N -c hba_file=$W/hba.conf -c ident_file=$W/run.conf -c shared_buffers=128MB -c huge_pages=off -c listen_addresses= -c unix_socket_directories=$T -c port=5600
    -c archive_command= -c archive_cleanup_command= -c recovery_end_command= -c restore_command= -c primary_conninfo= -c primary_slot_name= -c recovery_min_apply_delay=0 -c recovery_target=
    -c recovery_target_time= -c recovery_target_lsn= -c recovery_target_xid= -c recovery_target_name= -c recovery_target_timeline=current -c hot_standby=on -c external_pid_file= -c logging_collector=off
    -c log_destination=stderr -c ssl=off -c synchronous_standby_names= -c autovacuum=off -c max_logical_replication_workers=0 -c wal_recycle=off
    -c shared_preload_libraries= -c session_preload_libraries= -c local_preload_libraries= -c lc_messages=C -c log_min_messages=warning"
  [ "$V" -lt 130000 ] || O="$O -c max_slot_wal_keep_size=-1"; [ "$V" -lt 150000 ] || O="$O -c archive_library="; [ "$V" -ge 160000 ] || O="$O -c promote_trigger_file="
  [ "$V" -lt 170000 ] || O="$O -c event_triggers=off -c summarize_wal=off -c sync_replication_slots=off"; [ "$V" -lt 180000 ] || O="$O -c io_method=sync -c idle_replication_slot_timeout=0"
  live "select string_agg(format('-c %s=%s', name, case when setting = 'always' then 'on' else setting end), ' ') from pg_settings
    where name in ('max_connections', 'max_worker_processes', 'max_wal_senders', 'max_prepared_transactions', 'max_locks_per_transaction', 'max_replication_slots',
      'wal_level', 'wal_log_hints', 'wal_keep_size', 'wal_keep_segments', 'track_commit_timestamp', 'archive_mode')" || fail Sql "The server does not answer our questions: $ANSWER"
  O="$O $ANSWER"; echo 'local all all reject' >"$W/hba.conf"; : >"$W/run.conf"
}
look_behind() { # bytes of WAL that the copy has not seen
  if [ -n "$AT" ] && live "select pg_current_wal_lsn() - '$AT'::pg_lsn"; then BEHIND=$ANSWER; else fail Sql "The server does not answer our questions: $ANSWER"; fi
}
check_slot() {
  [ "$V" -ge 130000 ] || return 0
  live "select wal_status from pg_replication_slots where slot_name = '$DCK_SLOT'" || fail Sql "The server does not answer our questions: $ANSWER"
  case $ANSWER in reserved | extended) ;; *) fail SlotLost "The slot $DCK_SLOT is '$ANSWER': max_slot_wal_keep_size of the server is too small for the WAL of one copy, or somebody dropped it." ;; esac
}
replay() {
  exec postgres -D "$N" $O -c "restore_command=cp $D/pg_wal/%f %p" -c wal_retrieve_retry_interval=50ms \
    -c "recovery_target_name=$1" -c recovery_target_action=shutdown >"$W/log" 2>&1 </dev/null
}
follow() { # [checkpoint]: replays up to a mark that is set in the WAL now, and shuts down there: nothing of the copy runs between two rounds
  [ -z "${1:-}" ] || live checkpoint || fail Sql "No checkpoint: $ANSWER"
  clock; name=data_checksums_$NOW
  live "select pg_create_restore_point('$name')" || fail Sql "No restore point: $ANSWER"
  live 'select pg_switch_wal()' || fail Sql "No switch of the WAL: $ANSWER"
  live 'select pg_current_wal_lsn()' || fail Sql "The server does not answer our questions: $ANSWER"
  AT=$ANSWER
  attend look_after replay "$name"
  control "$N"; field 'Database cluster state'
  grep -q "recovery stopping at restore point \"$name\"" "$W/log" && [ "$VALUE" = 'shut down in recovery' ] \
    || fail RecoveryFailed "The copy did not recover: $(grep -e FATAL -e PANIC -e ERROR "$W/log" | tail -n 2)"
  same_server; check_slot; field "Latest checkpoint's REDO location"
  live "select pg_replication_slot_advance('$DCK_SLOT', '$VALUE')" || fail Sql "The slot could not be advanced: $ANSWER"
}
follow_closely() { # [at least this many rounds]: each round is shorter than the one before; where it is not, the copy cannot keep up
  for round in 1 2 3 4 5 6 7 8; do
    look_behind; [ "$BEHIND" -ge "$DCK_NEAR" ] || [ $round -le "${1:-0}" ] || break
    say following "\"behindBytes\":$BEHIND"; follow checkpoint
  done
}
pages() { exec pg_checksums "$@" --progress -D "$N" >&7 2>&7; }
convert_copy() {
  set -- --enable; [ "$DCK_SYNC" = fsync ] || set -- "$@" --sync-method=syncfs
  attend converting pages "$@" || fail ConversionFailed "pg_checksums on the copy: $(grep -v ' MB (' <&6 | tail -n 3)"
  report_progress converting; checksums "$N"; [ "$SUMS" = 1 ] || fail ConversionFailed "pg_checksums left version '$SUMS' in the copy."
  say copyConverted
}
converting() { throttle; report_progress converting; }
verify_copy() {
  attend verifying pages --check || fail CopyBroken "The copy's checksums do not hold: $(grep -v ' MB (' <&6 | tail -n 3). Look at the volume's health."
  report_progress verifying
}
verifying() { throttle; report_progress verifying; }
