# TemporaryStandby, while the server is stopped: the copy takes over the WAL, is proven, and changes places with the data directory.
take_wal() { # moving pg_wal away is the second interlock: then, not before, look whether anything runs
  end_work
  WAL=$W/wal; [ ! -L "$D/pg_wal" ] || WAL=$(cd -P "$D/pg_wal" && pwd) || fail MoveFailed "$D/pg_wal leads nowhere." # a link may be relative
  WHY=$(mv "$D/pg_wal" "$W/wal" 2>&1) || fail MoveFailed "Could not rename $D/pg_wal: $WHY."
  unattended || fail ServerStarted 'A server started in spite of the interlock: who starts it? Try again.'
  locked || fail InterlockLost "The interlock's line went from $AUTO while the server stopped: try again."
  control; field 'Database cluster state'
  [ "$VALUE" = 'shut down' ] || fail NotClean "The server was not shut down cleanly (its state is '$VALUE'): it must recover first; try again."
  ! unlogged || fail UnloggedCameUp "Unlogged relations were made meanwhile ($found): make them logged, or drop them."
  ! tablespaces || fail TablespaceCameUp "A tablespace was made meanwhile ($found)."
  field 'Latest checkpoint location'; END=$VALUE
  field "Latest checkpoint's REDO WAL file"; SEGMENT=$VALUE
  field 'Database system identifier'; SYSTEM=$VALUE
  field "Latest checkpoint's TimeLineID"; TIMELINE=$VALUE
}
keep_segment() { # the one that the copy's recovery will write to: what the old directory needs to be the fallback
  sync "$D" "$W"; mkdir "$W/keep" && cp -p "$WAL/$SEGMENT" "$W/keep/" && sync "$W/keep/$SEGMENT" "$W/keep" && mark kept "$SEGMENT $WAL" \
    || fail HandOverFailed "Could not keep the segment $SEGMENT."
  rm -rf "$N/pg_wal" "$N/standby.signal" && ln -s "$WAL" "$N/pg_wal" || fail HandOverFailed 'Could not give the WAL to the copy.'
}
carry_slots() { # before recovery: its checkpoint would remove the WAL that they need
  rm -rf "$N/pg_replslot" "$N/pg_logical" && cp -a "$D/pg_replslot" "$D/pg_logical" "$N/" && rm -rf "$N/pg_replslot/$DCK_SLOT" \
    || fail HandOverFailed 'Could not carry the replication slots over.'
  say handedOver "\"location\":\"$END\""
}
in_time() { clock; [ "$NOW" -lt "$DEADLINE" ] || fail DeadlineExceeded "The switch was given up after $DCK_MAX_OUTAGE s of outage: allow a longer one, or find out why the disk is slow."; }
recover_alone() { exec postgres --single -D "$N" $O postgres </dev/null >"$W/log" 2>&1; }
prove() {
  PAUSE=.02; attend in_time recover_alone || fail ProofFailed "The copy did not recover: $(grep -e FATAL -e PANIC -e ERROR "$W/log" | tail -n 2). The old directory serves on."
  redone=$(sed -n 's|.*redo done at \([0-9A-F/]*\).*|\1|p' "$W/log")
  [ "$redone" = "$END" ] || fail ProofFailed "The copy replayed up to '$redone', the server had stopped at $END: it is not swapped in, the old directory serves on. See whether WAL is missing or broken."
  checksums "$N"; field 'Database cluster state'; state=$VALUE; field 'Database system identifier'; system=$VALUE; field "Latest checkpoint's TimeLineID"
  [ "$state $SUMS $system $VALUE" = "shut down 1 $SYSTEM $TIMELINE" ] \
    || fail ProofFailed "The copy is '$state', with checksum version $SUMS, system $system, timeline $VALUE: it is not swapped in, the old directory serves on."
  say proven "\"location\":\"$END\""
}
carry_rest() {
  chmod 700 "$N/pg_tblspc"
  if [ "$WAY" = journal ]; then rm -f "$N/pg_wal"; sync_tree "$N/pg_replslot" "$N/pg_logical"; return; fi
  { rm -rf "$N/pg_stat" && cp -a "$D/pg_stat" "$N/"; } || fail HandOverFailed 'Could not carry the statistics over.'
  rm -f "$N/backup_label.old" "$N/tablespace_map.old"
  for c in "$D"/* "$D"/.[!.]*; do # configuration, certificates, logs: as they are at the stop; as links, so that owner and mode stay
    if is_data "${c##*/}" || ! exists "$c"; then continue; fi
    cp -al "$c" "$N/" 2>/dev/null || { rm -rf "${N:?}/${c##*/}" && cp -a "$c" "$N/"; } || fail HandOverFailed "Could not carry ${c##*/} over."
  done
  { without_lock >"$N/postgresql.auto.conf" && chmod "$(stat -c %a "$AUTO")" "$N/postgresql.auto.conf"; } || fail HandOverFailed "Could not carry $AUTO over."
  chgrp "$(stat -c %g "$AUTO")" "$N/postgresql.auto.conf" 2>/dev/null || :
  sync_tree "$N/pg_replslot" "$N/pg_logical" "$N/pg_stat"; sync "$N/postgresql.auto.conf" "$N"
}
sync_tree() { find "$@" \( -type f -o -type d \) -exec sync {} +; }
still_stopped() {
  unattended && [ ! -e "$N/postmaster.pid" ] || fail ServerStarted 'A server started in spite of both interlocks: who starts it? Try again.'
  locked || fail InterlockLost "The interlock's line went from $AUTO: try again."
  control; field 'Latest checkpoint location'; [ "$VALUE" = "$END" ] || fail ServerStarted 'The data directory was written to meanwhile: who does so? Try again.'
}
swap() {
  still_stopped
  if [ "$WAY" = atomic ]; then
    mark proven "$(stat -c %i "$N")"; rm -f "$N/pg_wal"
    { mv "$W/wal" "$N/pg_wal" && sync "$N" "$W" && exchange_tool "$N" "$D"; } || fail SwapFailed 'The directories could not change places.'
    sync "$W" "$P"
  else
    mark journal; exchange_children || fail SwapFailed "The exchange could not be finished: $WHY." # it is finished on the way out
  fi
  checksums; say swapped
  [ "$WAY" = atomic ] || lift_patiently || fail LiftFailed 'Converted and swapped in, but service could not be restored.'
}
exchange_children() { # one after the other; what is still in the copy has not been exchanged. PG_VERSION and the line never leave the directory
  mkdir -p "$W/old" || return 1
  for c in $SWAPPED_ALWAYS; do
    exists "$N/$c" || continue
    if exists "$D/$c"; then WHY=$(mv "$D/$c" "$W/old/" 2>&1) || return 1; fi
    WHY=$(mv "$N/$c" "$D/" 2>&1) || return 1
  done
  if exists "$W/wal"; then WHY=$(mv "$W/wal" "$D/pg_wal" 2>&1) || return 1; fi
  sync "$D" "$N" "$W" "$W/old"
}
