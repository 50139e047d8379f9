# TemporaryStandby, the way back from any state: into service first, then the slot and the copy go. Forward where the exchange has begun.
# What there is on the volume says where an earlier run was: line in the auto.conf, pg_wal away, mark journal, mark proven (the inode of the copy's directory).
RELOAD=''
prepare_place() {
  D=$(cd -P "$D" && pwd) P=${D%/*} AUTO=$D/postgresql.auto.conf PIDFILE=$D/postmaster.pid
  case $D in /?*/*) ;; *) P=/ ;; esac
  W=$D.dck; [ -d "$W" ] || [ ! -d "$D/dck.copy" ] || W=$D/dck.copy
  N=$W/new; T=$(mktemp -d) || refuse ToolMissing 'No temporary directory can be made: give the pod a /tmp.'
  [ -z "${DCK_CA:-}" ] || { printf '%s\n' "$DCK_CA" >"$T/ca.crt"; export PGSSLROOTCERT="$T/ca.crt"; }
  ! marked way || WAY=$(cat "$W/way")
}
swapped_at_once() { [ -s "$W/proven" ] && [ "$(cat "$W/proven")" = "$(stat -c %i "$D")" ]; }
already_swapped() { marked journal || swapped_at_once; }
wal_away() { ! exists "$D/pg_wal"; }
left_over() { locked || exists "$D/pg_wal.dck" || { [ -d "$W" ] && wal_away; }; }
more_at_the_end() { copy=false slot=false; [ ! -d "$W" ] || copy=true; [ -z "$SLOT_MADE" ] || slot=true; printf ',"slot":%s,"copy":%s' $slot $copy; }

lift() { # into service; whatever fails here is tried again
  rename_back || return 1
  if marked journal; then exchange_children || return 1
  elif ! swapped_at_once; then
    # the slot goes while nothing can start: without pg_wal, under the line
    if locked && unattended && ! wal_away && [ -d "$D/pg_replslot/$DCK_SLOT" ] && [ -d "$W" ]; then mv "$D/pg_wal" "$W/wal" 2>/dev/null || :; fi
    wal_back || return 1
  fi
  line_out && RELOAD=1
}
wal_back() {
  wal_away || return 0
  from=$W/wal; exists "$from" || from=$N/pg_wal
  exists "$from" || { WHY="there is no pg_wal, neither in $D nor in $W"; return 1; }
  ! marked kept || undo_writes || return 1
  drop_slot_on_disk || return 1
  WHY=$(mv "$from" "$D/pg_wal" 2>&1) || return 1
  sync "$D" || :
}
undo_writes() { # what the copy's recovery has written to the WAL, the old directory must not find
  read -r segment place <"$W/kept"
  [ -d "$place" ] || place=$N/pg_wal # just before the exchange
  cmp -s "$W/keep/$segment" "$place/$segment" \
    || { WHY=$(cp -p "$W/keep/$segment" "$place/dck.tmp" 2>&1 && sync "$place/dck.tmp" && mv -f "$place/dck.tmp" "$place/$segment" 2>&1) || return 1; }
  for f in $(ls "$place" | awk -v s="$segment" 'length($0) == 24 && substr($0, 1, 8) == substr(s, 1, 8) && ($0 "") > (s "")'); do
    rm -f "$place/$f" "$place/archive_status/$f.ready" || return 1
  done
  rm -f "$place/archive_status/$segment.ready"; sync "$place/." || :
}
drop_slot_on_disk() { # nothing can start now; under this ending a server removes the remains itself
  if unattended && [ -d "$D/pg_replslot/$DCK_SLOT" ]; then
    WHY=$(mv "$D/pg_replslot/$DCK_SLOT" "$D/pg_replslot/$DCK_SLOT.tmp" 2>&1) && rm -rf "$D/pg_replslot/$DCK_SLOT.tmp" && sync "$D/pg_replslot" || return 1
  fi
  SLOT_MADE=''
}
drop_slot() { live "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '$DCK_SLOT'" && SLOT_MADE=''; }
discard() { # never while a directory of ours holds the only WAL; the marks go first, so that half a copy is never taken for a whole one
  [ -d "$W" ] || return 0
  [ -d "$D/pg_wal/." ] || return 1
  rm -f "$W/journal" "$W/proven" "$W/kept"; sync "$W"
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$W" 2>/dev/null && return 0; sleep "${FINE:+.2}${COARSE:+1}"; done # a dying process may still write
  rm -rf "$W"
}
tidy() { # after service is restored
  rm -f "$AUTO.dck"
  if already_swapped; then SLOT_MADE=''; else discard || :; fi
  if postmaster; then
    [ -z "$RELOAD" ] || live 'select pg_reload_conf()' || : # a change of configuration that came meanwhile was not taken
    [ -z "$SLOT_MADE" ] || drop_slot || :
  fi
  [ -z "$T" ] || rm -rf "$T"
}
restore_leftovers() {
  wal=false line=false copy=false
  look_for_two_wals; ! exists "$D/pg_wal.dck" || wal=true
  ! locked || line=true; [ ! -d "$W" ] || { copy=true SLOT_MADE=1; ! wal_away || wal=true; }
  [ $line$copy$wal != falsefalsefalse ] || { exists "$D/pg_wal" || fail WalMissing "$D has no pg_wal: restore the directory, nothing here can."; return 0; }
  if left_over; then lift_patiently || fail LiftFailed 'What an earlier run left could not be restored.'; [ "$DCK_MODE" != lift ] || say_lifted; fi
  if already_swapped; then SLOT_MADE=''
  else discard || fail LiftFailed "The copy of an earlier run, $W, could not be removed."; [ -z "$SLOT_MADE" ] || ! postmaster || drop_slot || :; fi
  slot=true; [ -n "$SLOT_MADE" ] || slot=false
  say restored "\"wal\":$wal,\"line\":$line,\"copy\":$copy,\"slot\":$slot"
}
end_lift() {
  if already_swapped && serves; then discard || fail LiftFailed "$W could not be removed."; fi
  if [ -z "$SLOT_MADE" ] && postmaster && ! already_swapped; then SLOT_MADE=1; drop_slot || :; fi # killed between slot and directory, perhaps
  say lifted "$(more_at_the_end | cut -c 2-)"
}
