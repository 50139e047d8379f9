# What the scripts of both offline roads share; it is put before either. Their own heads say what they take and what they report.
set -u; umask 077; export LC_ALL=C
unset PGSERVICE PGHOSTADDR PGSSLMODE PGSSLROOTCERT PGSSLNEGOTIATION PGGSSENCMODE PGTARGETSESSIONATTRS PGREQUIREAUTH PGCHANNELBINDING
PATH=${DCK_BINDIR:+$DCK_BINDIR:}$PATH LOCK=${DCK_LOCK:-data_checksums_conversion_in_progress} D=${PGDATA:-} NL='
'
AUTO=$D/postgresql.auto.conf PIDFILE=$D/postmaster.pid
HELD='' CHILD='' LAUNCHED='' WATCHER='' FINE='' COARSE='' REASON='' MESSAGE='' WHY='' NOW=0 EPOCH=0 DEADLINE=0 CONTROL='' SELF=''

# ---- output, time, giving up
clock() { if read -r NOW _ </proc/uptime; then NOW=${NOW%.*}${NOW#*.}0; else NOW=$(date +%s)000; fi; } 2>/dev/null # ms of a steady clock, no process
start_clock() { # busybox's date may know whole seconds only
  clock; EPOCH=$(date +%s%3N); case $EPOCH in *[!0-9]*) EPOCH=$(date +%s)000 ;; esac; EPOCH=$((EPOCH - NOW))
}
say() { clock; LAST="{\"step\":\"$1\",\"ms\":$((EPOCH + NOW))${2:+,$2}}"; printf '%s\n' "$LAST"; }
quoted() { printf '"%s"' "$(printf '%.1500s' "$1" | tr '\n\t\r' '   ' | tr -d '\000-\037\177' | tr '\200-\377' '?' | sed 's/[\\"]/\\&/g')"; }
fail() { REASON=$1 MESSAGE=$2; exit 1; }; refuse() { REASON=$1 MESSAGE=$2; exit 2; }
nap() { LAUNCHED=1; sleep "${FINE:+$1}${COARSE:+1}" & CHILD=$!; wait "$CHILD"; CHILD='' LAUNCHED=''; } # in the background: a trap runs at once
within() { # SECONDS COMMAND...: tries until it succeeds
  clock; end=$((NOW + $1 * 1000)); shift
  until "$@"; do clock; [ "$NOW" -lt "$end" ] || return 1; nap .1; done
}
exists() { [ -e "$1" ] || [ -L "$1" ]; }

# ---- what is true now
control() { # [DIRECTORY]: the server may be writing the file: read again if the sum is wrong
  for look in 1 2 3 4 5; do
    CONTROL=$NL$(pg_controldata -D "${1:-$D}" 2>&1) && case $CONTROL in *WARNING*) nap .05 ;; *) return 0 ;; esac
  done
}
field() { # of $CONTROL, into $VALUE
  case $CONTROL in *"$NL$1:"*) VALUE=${CONTROL#*"$NL$1:"}; VALUE=${VALUE%%"$NL"*}; VALUE=${VALUE#"${VALUE%%[! ]*}"} ;; *) VALUE='' ;; esac
}
checksums() { control "${1:-$D}"; field 'Data page checksum version'; SUMS=$VALUE; }
postmaster() { # reads the pid file: who serves, and its own word on its state
  PID='' START='' STATUS=''
  { read -r PID && read -r _ && read -r START && read -r _ && read -r _ && read -r _ && read -r _ && read -r STATUS; } 2>/dev/null <"$PIDFILE"
  [ -n "$START" ]
}
answers() { [ -z "${DCK_HOST:-}" ] || { PGSSLMODE=disable pg_isready -q -t 1 -h "$DCK_HOST" -p "${DCK_PORT:-5432}" -d postgres >/dev/null 2>&1; [ "$?" -le 1 ]; }; }
serves() { postmaster && answers; }; ready() { postmaster && [ "$STATUS" = ready ]; }; unattended() { ! exists "$PIDFILE"; }
AT_START="^[[:space:]]*$LOCK[[:space:]=]" GLUED="^\\([[:space:]]*[A-Za-z].*'\\)$LOCK[[:space:]]*=[[:space:]]*'[^']*'[[:space:]]*\$" # after a last line without newline
locked() { grep -q -s -e "$AT_START" -e "$GLUED" "$AUTO"; }
without_lock() { sed -e "/$AT_START/d" -e "s/$GLUED/\\1/" "$AUTO"; }

# ---- the line of the first interlock taken out again
prepare_lift() { # the file as it will be, while there is room
  { rm -f "$AUTO.dck" && without_lock >"$AUTO.dck" && chmod "$(stat -c %a "$AUTO")" "$AUTO.dck" && sync "$AUTO.dck"; } 2>&1 || return 1
  chgrp "$(stat -c %g "$AUTO")" "$AUTO.dck" 2>/dev/null || :
}
prepared() { [ -f "$AUTO.dck" ] && [ "$(without_lock; echo .)" = "$(cat "$AUTO.dck"; echo .)" ]; }
comment_out() { # needs no room: one byte is overwritten, in the very file that was read even if ALTER SYSTEM replaced it meanwhile; the last line is cut off
  chmod u+w "$AUTO" && exec 3<>"$AUTO" 4<>/dev/fd/3 || return 1
  at=0 out=1
  while IFS= read -r text <&3 || [ -n "$text" ]; do
    case ${text#"${text%%[![:space:]]*}"} in
      "$LOCK" | "$LOCK"[[:space:]=]*)
        printf '#' >&4 && out=0
        IFS= read -r text <&3 || [ -n "$text" ] || dd bs=1 seek=$at count=0 of=/dev/fd/3 2>/dev/null
        break ;;
    esac
    at=$((at + ${#text} + 1)); IFS= read -r text <&4
  done
  exec 3>&- 4>&-; return $out
}
line_out() { # of a file that nobody else writes by a rename; beside a server that may write it, within the file
  for try in 1 2 3 4 5 6 7 8; do
    locked || return 0
    [ ! -L "$AUTO" ] || { WHY="$AUTO is a symbolic link"; return 1; }
    if ! unattended && comment_out; then continue; fi
    if prepared; then WHY=$(mv -f "$AUTO.dck" "$AUTO" 2>&1) || comment_out || return 1
    else WHY=$(prepare_lift) || comment_out || return 1; fi # rewritten by ALTER SYSTEM: prepare again
  done
  WHY="$AUTO is being rewritten all the time"; return 1
}
look_for_two_wals() { # not ours to decide
  if exists "$D/pg_wal.dck" && exists "$D/pg_wal" && ! rmdir "$D/pg_wal" 2>/dev/null; then
    HELD=''; fail WalAmbiguous "$D has both pg_wal and pg_wal.dck: keep the one with the newest segments as pg_wal, and remove the other."
  fi
}
rename_back() { # what a conversion in place renames; nobody may know any more which road it was
  exists "$D/pg_wal.dck" || return 0
  if exists "$D/pg_wal"; then WHY=$(rmdir "$D/pg_wal" 2>&1) || return 1; fi
  WHY=$(mv "$D/pg_wal.dck" "$D/pg_wal" 2>&1)
}
lift_or_say() {
  ! lift || return 0
  [ "$WHY" = "$SAID" ] || say liftFailed "\"message\":$(quoted "Could not restore: $WHY. Trying again.")"
  SAID=$WHY; return 1
}
lift_patiently() { SAID=''; within "${DCK_LIFT_FOR:-60}" lift_or_say; } # the database must come back
say_lifted() { say lifted; sync "$D" || :; } # a server need not wait for the disk: after a crash of the machine, lifting is repeated
leave() { # on every exit
  rc=$? lifted=true; trap '' TERM INT QUIT HUP; trap - EXIT
  child=${CHILD:-${LAUNCHED:+${!:-}}} # killed between two words of the script, perhaps
  end_work; [ -z "$child$WATCHER" ] || { kill -KILL $child $WATCHER; wait $child $WATCHER; } 2>/dev/null # nothing may write when a server can start
  if [ -n "$HELD" ]; then
    if left_over; then
      if lift_patiently; then say_lifted; else lifted=false REASON=${REASON:-LiftFailed} MESSAGE="$MESSAGE Not lifted: $WHY"; [ "$rc" -ne 0 ] || rc=1; fi
    fi
    tidy
  elif left_over; then lifted=false; fi
  case $rc in
    143) REASON=Stopped MESSAGE="Told to stop. $MESSAGE" ;;
    *) [ "$rc" -eq 0 ] || [ -n "$REASON" ] || REASON=Internal MESSAGE="The script ended unexpectedly with status $rc; its standard error says why." rc=1 ;;
  esac
  step=failed; [ "$rc" -ne 2 ] || step=refused
  [ "$rc" -eq 0 ] || say "$step" "\"reason\":\"$REASON\",\"message\":$(quoted "$MESSAGE"),\"lifted\":$lifted$(more_at_the_end)"
  leave_word; exit "$rc"
}
leave_word() { log=${DCK_TERMINATION_LOG:-/dev/termination-log}; [ ! -w "$log" ] || printf '%s\n' "$LAST" >"$log"; }

# ---- looks before the server stops
check_input() {
  case ${DCK_MODE:-} in enable) WANTED=1 ;; disable) WANTED=0 ;; lift) WANTED='' ;; *) refuse BadInput "DCK_MODE is '${DCK_MODE:-}': give enable, disable or lift." ;; esac
  case $LOCK in '' | *[!a-z0-9_]*) bad=$LOCK LOCK=none; refuse BadInput "DCK_LOCK is '$bad': give lower-case letters, digits and underscores." ;; esac
  for n in "${DCK_ARMED_FOR:=20}" "${DCK_MAX_OUTAGE:=1800}" "${DCK_READY_FOR:=3600}" "${DCK_LOCK_FOR:=60}" "${DCK_LIFT_FOR:=60}" "${DCK_ANSWER_FOR:=10}" "${DCK_LINGER_FOR:=10}"; do
    case $n in '' | *[!0-9]* | ?????????*) refuse BadInput "A bound is '$n': give whole seconds." ;; esac
  done
  case ${DCK_SYNC:=fsync} in fsync | syncfs) ;; *) refuse BadInput "DCK_SYNC is '$DCK_SYNC': give fsync or syncfs." ;; esac
  [ -n "$D" ] && [ -f "$D/PG_VERSION" ] || refuse NoDataDirectory "There is no PG_VERSION in '$D': mount the volume as the server has it."
  for tool in awk cat chmod date dd find flock grep mv rm sed sleep stat sync tr; do
    command -v "$tool" >/dev/null || refuse ToolMissing "$tool is not in this image: use the server's own image with the usual tools."
  done
  OWNER=$(stat -c %u "$D/PG_VERSION")
  [ "$(id -u)" = "$OWNER" ] || refuse WrongUser "Runs as uid $(id -u), the data directory belongs to $OWNER: set runAsUser to $OWNER."
}
one_at_a_time() { # pg_checksums inherits the lock: as long as an orphaned one writes, nobody lifts
  if [ -w "$D/PG_VERSION" ]; then exec 9<>"$D/PG_VERSION"; else exec 9<"$D"; fi # NFS locks only what is open for writing
  within "$DCK_LOCK_FOR" flock -n 9 || fail LockBusy "Another agent works on $D: wait until its Job's pod has gone."
  HELD=1
}
check_tools() {
  MAJOR=$(cat "$D/PG_VERSION")
  for tool in pg_checksums pg_controldata pg_isready; do # exactly: 15's pg_checksums works on 13 and 14 by luck
    version=$("$tool" --version 2>/dev/null) || refuse ToolMatches "$tool is not in this image's PATH: use the server's own image, or set DCK_BINDIR."
    number=${version#*) }; number=${number%% *}
    [ "${number%%[!0-9]*}" = "$MAJOR" ] || refuse ToolMatches "$tool is of version $number, the data directory of $MAJOR: use an image of PostgreSQL $MAJOR."
    [ "$tool" != pg_checksums ] || TOOL=$number
  done
  [ "$DCK_SYNC" = fsync ] || [ "$MAJOR" -ge 17 ] || refuse SyncUnsupported "pg_checksums $TOOL has no syncfs, it came with 17: set sync to Fsync."
}
check_serving() { # a busy server takes its time; one without a pid file is down
  { within 2 postmaster && within "$DCK_ANSWER_FOR" serves; } || fail NotServing "The server is not running, or does not answer at ${DCK_HOST:-}:${DCK_PORT:-5432}: start it first."
  SERVER="$PID $START"
}
check_directory() {
  [ -f "$AUTO" ] && [ ! -L "$AUTO" ] && [ "$(stat -c %u "$AUTO")" = "$OWNER" ] && [ -r "$AUTO" ] \
    || refuse AutoConf "$AUTO is no regular file that uid $OWNER owns and reads: a server would start in spite of the interlock. Make it one."
  [ -w "$D" ] || refuse NotWritable "$D cannot be written to: mount the volume read-write."
  real=$(cd -P "$D" && pwd)
  if grep -qsF " $real/pg_wal " /proc/self/mountinfo || { [ ! -L "$D/pg_wal" ] && [ "$(stat -c %d "$D/pg_wal")" != "$(stat -c %d "$D")" ]; }; then
    refuse WalIsMountPoint "$D/pg_wal is a mount point, which cannot be renamed: mount that volume elsewhere and make pg_wal a symbolic link to it."
  fi
  for try in 1 2 3; do # a checkpoint may pass between the two looks
    control; field "Latest checkpoint's REDO WAL file"; [ ! -f "$D/pg_wal/$VALUE" ] || break
    [ "$try" -lt 3 ] || refuse WalNotHere "$D/pg_wal lacks the segment '$VALUE' that the control file names: mount the volume that holds the WAL."
    nap .2
  done
  field 'Catalog version number'; VERSION_DIRECTORY=PG_${MAJOR}_$VALUE
  for link in "$D"/pg_tblspc/*; do
    ! exists "$link" || [ -d "$link/$VERSION_DIRECTORY" ] \
      || refuse Tablespace "$link does not lead to a $VERSION_DIRECTORY: mount the tablespace's volume where the server has it."
  done
  field 'Database block size'; BLOCK=$VALUE
}
scan() { # what pg_checksums would stumble over, or write checksums into though it is no relation: 'Reason path'
  for place in "$D/base" "$D/global" "$D/pg_tblspc"/*/"$VERSION_DIRECTORY"; do
    [ ! -d "$place" ] || find "$place" -name 'pgsql_tmp*' -prune -o \( -type f -o -type d -o -type l \) -exec stat -c '%A %u %s %n' {} +
  done 2>/dev/null | awk -v uid="$OWNER" -v block="$BLOCK" '
    { path = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", path); name = path; sub(/.*\//, "", name); type = substr($1, 1, 1); mine = ($2 == uid) }
    type == "d" { if (mine && substr($1, 2, 3) !~ /^r.[xs]$/) print "Unreadable " path; next }
    name ~ /^pg_internal\.init/ || name == "pg_control" || name == "pg_filenode.map" || name == "PG_VERSION" || name == ".DS_Store" { next }
    type != "-" || name !~ /^(t[0-9]+_)?[0-9]+(_(fsm|vm|init))?(\.[1-9][0-9]*)?$/ { print "StrayFile " path; next }
    !mine || substr($1, 2, 2) != "rw" { print "Unreadable " path; next }
    $3 % block { print "BadSize " path }'
}
check_files() { # twice: a live server makes, extends and renames files
  found=$(scan); [ -n "$found" ] || return 0; nap .5
  found=$(printf '%s\n' "$found" | grep -Fx -e "$(scan)" | head -n 1)
  case $found in
    StrayFile*) refuse StrayFile "${found#* } is no relation's file, and pg_checksums refuses or rewrites it: move it out of the data directory." ;;
    BadSize*) refuse BadSize "${found#* } is no multiple of $BLOCK bytes long, pg_checksums refuses it: restore the file, or drop what it belongs to." ;;
    Unreadable*) refuse Unreadable "${found#* } cannot be read and written by uid $OWNER: give it to that user with the usual mode." ;;
  esac
}
is_served() { [ "$VALUE" = 'in production' ]; }
check_state() {
  checksums; field 'Database cluster state'
  is_served || fail NotServing "The state of the server is '$VALUE': it must be a primary that takes connections."
  case $SUMS in
    "$WANTED") refuse AlreadyInState "The control file already says data page checksum version $SUMS: nothing is to be done." ;;
    0 | 1) ;;
    *) refuse UnknownState "The control file says data page checksum version '$SUMS': a conversion of another kind is under way." ;;
  esac
}
open_progress() { # where pg_checksums writes; nobody needs the name
  for place in "${TMPDIR:-/tmp}" "$D"; do
    progress=$place/dck.$SELF; rm -f "$progress" 2>/dev/null
    if (set -C; : >"$progress") 2>/dev/null; then exec 6<"$progress" 7>"$progress" 8<"$progress"; rm -f "$progress"; return; fi
  done
  exec 6</dev/null 7>/dev/null 8</dev/null
}
report_progress() { # STEP: from file descriptor 8, what has come since
  while IFS= read -r line <&8 || [ -n "$line" ]; do
    case $line in *' MB ('*computed*) ;; *) continue ;; esac
    line=${line%% MB (*}; total=${line#*/}; amount=${line%%/*}; amount=${amount##* }
    case $amount$total in '' | *[!0-9]*) ;; *) say "$1" "\"doneBytes\":$((amount * 1048576)),\"totalBytes\":$((total * 1048576))" ;; esac
  done
}

# ---- the operator writes the line, then the server stops
say_ready() { # [MORE FIELDS]
  control; field 'Database system identifier'
  say ready "\"systemIdentifier\":\"$VALUE\",\"toolVersion\":\"$TOOL\",\"pid\":$PID,\"postmasterStart\":$START,\"checksums\":$SUMS,\"uid\":$OWNER,\"gid\":$(stat -c %g "$D/PG_VERSION")${1:+,$1}"
}
line_seen() { # looks once; the server must be the same as before
  if postmaster; then who="$PID $START"; else who=''; fi # looked at before the line: armed and stopped at once is no fault
  ! locked || return 0
  [ -n "$who" ] || ! unattended || fail NotServing 'The server was stopped before the interlock was written: start it, and try again.'
  [ -z "$who" ] || [ "$who" = "$SERVER" ] || fail ServerRestarted 'The server was restarted while the conversion was being prepared: try again.'
  clock; [ "$NOW" -lt "$1" ] || fail NotArmed "No interlock was written within $DCK_READY_FOR s: is the operator running?"
  return 1
}
await_stop() { # armed for seconds only: meanwhile no server can start, and none takes a change of its configuration
  clock; end=$((NOW + DCK_ARMED_FOR * 1000)) last=$((NOW + DCK_MAX_OUTAGE * 1000)) heard=$NOW refused='' ask=$((NOW + 1000))
  until unattended; do
    if postmaster && [ "$PID $START" != "$SERVER" ]; then fail ServerRestarted 'Another postmaster came while the interlock stood: who starts it? Try again.'; fi
    locked || fail InterlockLost "The interlock's line went from $AUTO: ALTER SYSTEM took it along, or the try was given up."
    clock; patience=2000 silence=6000 # refused at once means that nobody listens; no answer in time may be a busy machine
    [ "$STATUS" != stopping ] || end=$last patience=15000 silence=15000
    [ "$NOW" -lt "$end" ] || fail StopTimeout 'The server did not stop in time: see what keeps it.'
    if [ "$NOW" -ge "$ask" ]; then # not at once: the usual stop comes before the first question
      asked=$NOW
      if answers; then clock; heard=$NOW refused='' ask=$((NOW + 500))
      else clock; ask=$((NOW + 200)); if [ $((NOW - asked)) -lt 900 ]; then refused=${refused:-$asked}; else refused=''; fi; fi
      [ $((NOW - ${refused:-$NOW})) -le $patience ] && [ $((NOW - heard)) -le $silence ] || fail ServerVanished 'The server went without removing its pid file: killed. It must recover first; try again.'
    fi
    while_armed; nap .02
  done
  say stopped; DEADLINE=$((NOW + DCK_MAX_OUTAGE * 1000))
}
