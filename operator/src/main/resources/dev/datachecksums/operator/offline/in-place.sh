# In-place conversion of one data directory, in the pod of the offline Job (args: sh -c SCRIPT), as the owner of the directory.
# Environment: DCK_MODE=enable|disable|lift, PGDATA; DCK_LOCK (parameter of the first interlock), DCK_ARMED_FOR (s, 20), DCK_MAX_OUTAGE (s from the
# stop, 1800), DCK_READY_FOR (s, 3600), DCK_LOCK_FOR (s to wait for another agent, 60), DCK_LIFT_FOR (s to try lifting, 60), DCK_LINGER_FOR (s to wait at the
# end for the server to be back, 10), DCK_SYNC=fsync|syncfs,
# DCK_HOST, DCK_PORT (whom pg_isready asks; no host: nobody), DCK_ANSWER_FOR (s for an answer, 10), DCK_BINDIR (first in PATH), DCK_TERMINATION_LOG (/dev/termination-log).
# Output: one JSON object a line, each with "step" and "ms" (epoch); the last one is the termination message too.
# | step       | more fields                       | means |
# |------------|-----------------------------------|-------|
# | started    |                                   | the script runs |
# | restored   | wal, line (booleans)              | what an earlier, killed run had left is put back |
# | ready      | systemIdentifier, toolVersion (strings), pid, postmasterStart (epoch s), checksums (0, 1), uid, gid | checked; waits for the line |
# | armed, stopped |                               | the line is seen: every exit lifts from here on; the pid file has gone |
# | rewriting  | doneBytes, totalBytes             | about once a second |
# | converted  | checksums                         | the control file says so |
# | liftFailed | message                           | restoring failed, and is being tried again |
# | lifted     |                                   | pg_wal is in its place, no line: a server may start |
# | done       | checksums                         | converted and lifted |
# | refused    | reason, message, lifted (boolean) | nothing was touched; the same try would be refused again |
# | failed     | reason, message, lifted (boolean) | may be tried again |
# Reasons, refused: BadInput NoDataDirectory WrongUser ToolMissing ToolMatches SyncUnsupported AutoConf NotWritable WalIsMountPoint WalNotHere
# Tablespace StrayFile BadSize Unreadable AlreadyInState UnknownState. Failed: LockBusy WalAmbiguous WalMissing NotServing NotArmed ServerRestarted
# StopTimeout ServerVanished InterlockLost ServerStarted NotClean NoRoom MoveFailed DeadlineExceeded ConversionFailed LiftFailed Stopped Internal.
# Exit status: 0 done (mode lift: lifted), 1 failed, 2 refused, 143 told to stop (reason Stopped). No doubled dollar sign: Kubernetes halves it in args.
# ---- lifting: pg_wal first, as long as it is away the line says why nothing starts
left_over() { exists "$D/pg_wal.dck" || locked || copy_has_wal; }
copy_has_wal() { ! exists "$D/pg_wal" && { [ -d "$D.dck" ] || [ -d "$D/dck.copy" ]; }; } # the other script's to lift
more_at_the_end() { :; }
end_work() { :; }
while_armed() { :; }
tidy() { rm -f "$AUTO.dck"; }
lift() { rename_back && line_out && { rm -f "$AUTO.dck" || :; }; }

# ---- before the server stops
is_served() { # by a primary, or by one of its standbys; each leaves another word when it ends
  case $VALUE in 'in production') STOPPED='shut down' ;; 'in archive recovery') STOPPED='shut down in recovery' ;; *) return 1 ;; esac
}
restore_leftovers() {
  wal=false line=false; ! exists "$D/pg_wal.dck" || wal=true; ! locked || line=true
  look_for_two_wals
  if copy_has_wal; then HELD=''; fail WalMissing "A conversion by a copy has put $D/pg_wal away: its own script has to restore it."; fi
  if [ $wal = true ] || [ $line = true ]; then
    lift_patiently || fail LiftFailed 'What an earlier run left could not be restored.'
    say restored "\"wal\":$wal,\"line\":$line"
  fi
  rm -f "$AUTO.dck"
  exists "$D/pg_wal" || fail WalMissing "$D has neither pg_wal nor pg_wal.dck: restore the directory, nothing here can."
}

# ---- the line is written by the operator, then the server stops

await_line() {
  say_ready; clock; end=$((NOW + DCK_READY_FOR * 1000))
  until line_seen "$end"; do nap .03; done
  WHY=$(prepare_lift) || fail NoRoom "Could not write $AUTO.dck: $WHY. Make room."
  say armed
}

# ---- while it is stopped
take_wal_away() { # the second interlock, against a postmaster that read its configuration before the line: only then look whether one runs
  WHY=$(mv "$D/pg_wal" "$D/pg_wal.dck" 2>&1) || fail MoveFailed "Could not rename $D/pg_wal: $WHY."
  unattended || fail ServerStarted 'A server started in spite of the interlock: who starts it? Try again.'
  locked || fail InterlockLost "The interlock's line went from $AUTO while the server stopped: try again."
  control; field 'Database cluster state'
  [ "$VALUE" = "$STOPPED" ] || fail NotClean "The server was not shut down cleanly (its state is '$VALUE'): it must recover first; try again."
}
watch() { # beside pg_checksums; holds no lock. If the script was killed, no trap ran: then nothing may write on
  exec 9>&-; trap - EXIT TERM INT QUIT HUP
  while clock; [ "$NOW" -lt "$DEADLINE" ] && kill -0 "$SELF" 2>/dev/null; do report_progress rewriting; sleep "${FINE:+.1}${COARSE:+1}"; done
  kill -KILL "$CHILD" # a stopped one would not take less; the control file is written last
}
convert() {
  set -- "--$DCK_MODE" --progress -D "$D"; [ "$DCK_SYNC" = fsync ] || set -- "$@" --sync-method=syncfs
  [ "$DCK_MODE" = enable ] || set -- "$@" --no-sync # one file is written, and synchronised below
  LAUNCHED=1; pg_checksums "$@" >&7 2>&7 & CHILD=$!
  watch & WATCHER=$!
  wait "$CHILD"; status=$? CHILD='' LAUNCHED=''
  kill -KILL "$WATCHER" 2>/dev/null; wait "$WATCHER" 2>/dev/null; WATCHER=''; report_progress rewriting # a new subshell may lose a TERM
  checksums
  if [ "$SUMS" != "$WANTED" ]; then # it says so last of all: until then nothing is lost
    clock; [ "$NOW" -lt "$DEADLINE" ] || fail DeadlineExceeded "The conversion was given up after $DCK_MAX_OUTAGE s of outage: allow a longer one, or find out why the disk is slow."
    fail ConversionFailed "pg_checksums ended with status $status: $(grep -v -e ' MB (' -e '/pg_wal"' <&6 | tail -n 3)"
  fi
  sync "$D/global/pg_control" || :
  say converted "\"checksums\":$SUMS"
}
finish() {
  within 5 unattended || fail ServerStarted 'A server tried to start, and its pid file stayed: what the server says is what holds.'
  lift_patiently || fail LiftFailed 'Converted, but service could not be restored.'
  say_lifted; tidy; trap - EXIT; trap 'exit 0' TERM INT QUIT HUP # what is converted and lifted has not failed, whoever ends it now
  say 'done' "\"checksums\":$SUMS"; leave_word; exec 9>&-
  within "$DCK_LINGER_FOR" ready || : # the node has the server's pod to start, and gets this one to put away only after that
  exit 0
}

trap leave EXIT; trap 'exit 143' TERM INT QUIT HUP; trap '' PIPE
if sleep .01 2>/dev/null; then FINE=1; else COARSE=1; fi; read -r SELF _ </proc/self/stat # its own id
start_clock; say started; check_input; one_at_a_time; restore_leftovers
if [ "$DCK_MODE" = lift ]; then say lifted; exit 0; fi
check_tools; check_serving; check_directory; check_state; check_files; open_progress
await_line; await_stop; take_wal_away; convert; finish
