package dev.datachecksums.operator.postgres;

import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Small sh scripts that the server runs for us in its data directory, as the owner of its data. They use what both coreutils and BusyBox
 * have. Their exit codes say what was wrong; the server reports a code in the detail of SQLSTATE 38000, the only place it has for it.
 */
final class ServerScript {
    /** SQLSTATE of COPY with a program that failed. */
    static final String PROGRAM_FAILED = "38000";

    private static final Pattern CODE = Pattern.compile("\\b(4[1-7])\\b");

    /**
     * COPY writes a line to the script. A file that is no plain file, or that the server cannot read, is skipped by a starting server, so
     * that a line in it would be void. The owner may write whatever the mode says, once it is changed; it is changed back.
     *
     * <p>The file is changed in place and never replaced: a replacement would undo an ALTER SYSTEM that ran at the same moment, unseen.
     * The other way round an ALTER SYSTEM may undo our change; that can be seen, and the change is made again.
     */
    private static final String BEGIN = """
            cat >/dev/null
            LC_ALL=C; export LC_ALL; umask 077
            a=postgresql.auto.conf; t=$a.datachecksums.$$
            [ ! -L $a ] || exit 41
            [ -e $a ] || : >$a || exit 43
            [ -f $a ] || exit 41
            [ -r $a ] || exit 42
            m=; [ -w $a ] || { m=$(stat -c %a $a); chmod u+w $a || exit 43; }
            """;

    private static final String END = """
            [ -z "$m" ] || chmod "$m" $a
            dd if=/dev/null of=$a conv=notrunc,fsync 2>/dev/null || sync . || sync
            """;

    /** The copy proves that there is room for a few bytes more, and is put back if the line could not be written whole. */
    private static final String WRITE = BEGIN + """
                    rm -f $a.datachecksums.*
                    nl=; [ -z "$(tail -c 1 $a)" ] || nl='
                    '
                    cat $a >$t || { rm -f $t; exit 43; }
                    printf '%s%s\n' "$nl" "$line" >>$a || { chmod "$(stat -c %a $a)" $t; mv -f $t $a; exit 43; }
                    rm -f $t
                    """ + END;

    /**
     * Makes the line a comment by one byte, and cuts it off if it is the last. Both go to the file that was read, by its descriptor, even if
     * it was replaced meanwhile: by name another file could be hit in the middle of another line. No process is started between reading
     * and writing, so that an ALTER SYSTEM seldom comes between.
     */
    private static final String LIFT = BEGIN + """
                    exec 3<>$a 4<>/dev/fd/3 || exit 43
                    n=0
                    while IFS= read -r l <&3 || [ -n "$l" ]; do
                      case $l in
                        "$p "* | "$p="*)
                          printf '#' >&4 || exit 43
                          IFS= read -r l <&3 || [ -n "$l" ] || dd bs=1 seek=$n count=0 of=/dev/fd/3 2>/dev/null
                          break ;;
                      esac
                      n=$((n + ${#l} + 1))
                      IFS= read -r l <&4
                    done
                    """ + END;

    private static final String LOOK = """
            read -r _
            a=postgresql.auto.conf
            [ ! -L $a ] || exit 41
            [ -e $a ] || exit 46
            [ -f $a ] || exit 41
            [ -r $a ] || exit 42
            """;

    /**
     * The pid file alone is not believed: another pod's server on the same volume would have left another namespace's number there. TERM
     * comes back to the whole process group at once, and would make a success look like a failure.
     */
    private static final String FAST_SHUTDOWN = """
            cat >/dev/null
            q=$(head -n 1 postmaster.pid) || exit 45
            case $q in ''|*[!0-9]*) exit 45 ;; esac
            if [ -r /proc/$PPID/status ]; then
              while read -r k v r; do
                if [ "$k" = PPid: ] && [ "$v" != "$q" ]; then exit 44; fi
              done </proc/$PPID/status
            fi
            kill -INT "$q" || exit 47
            """;

    /**
     * In a container the postmaster is process 1, and inherits whatever outlives its parent. A child that it does not know and that died of a
     * signal is a crash to it: it ends the whole server at once, without the shutdown checkpoint. A cancel (INT) and a shutdown (TERM) go to
     * the backend's whole process group, this script's children included, so all of them ignore both.
     */
    private static final String IMMUNE = "trap '' HUP INT QUIT TERM\n";

    private ServerScript() {}

    static String write(Interlock interlock) {
        return copyTo("line=\"" + interlock.line() + "\"\n" + WRITE);
    }

    static String lift() {
        return copyTo("p=" + Interlock.PARAMETER + "\n" + LIFT);
    }

    static String fastShutdown() {
        return copyTo(FAST_SHUTDOWN);
    }

    /** For every look, so it starts no process but the shell, and fails only where something is wrong. */
    static String lookAtAutoConf() {
        return copyTo(LOOK);
    }

    /** What that says by its exit code. */
    static Optional<AutoConf> autoConf(String detail) {
        return code(detail).flatMap(code -> switch (code) {
            case 41 -> Optional.of(AutoConf.NOT_PLAIN);
            case 42 -> Optional.of(AutoConf.UNREADABLE);
            case 46 -> Optional.of(AutoConf.MISSING);
            default -> Optional.empty();
        });
    }

    /** What the server says of a program that failed; empty if nothing. */
    static String detail(SQLException failure) {
        if (failure instanceof PSQLException e) {
            ServerErrorMessage error = e.getServerErrorMessage();
            @Nullable String detail = error == null ? null : error.getDetail();
            return detail == null ? "" : detail;
        }
        return "";
    }

    /** The program is a literal: COPY takes no parameters. The session has standard_conforming_strings on. */
    private static String copyTo(String script) {
        return "COPY (SELECT 1) TO PROGRAM '" + (IMMUNE + script).replace("'", "''") + "'";
    }

    /** What a script's exit code means, for users. */
    static Optional<String> meaning(String detail) {
        return code(detail).map(code -> switch (code) {
            case 41 ->
                "postgresql.auto.conf is not a plain file, so a server might start without reading it; make it a plain file in the data directory";
            case 42 ->
                "the server's user cannot read postgresql.auto.conf; give the file to the owner of the data directory";
            case 43 ->
                "postgresql.auto.conf could not be written; check for a full disk and that the data directory is the server's own";
            case 44 ->
                "postmaster.pid names another server than the one that answers; another server may run on this data directory, look at once";
            case 45 -> "postmaster.pid cannot be read; the server may be stopping already";
            default -> "the server could not be signalled";
        });
    }

    private static Optional<Integer> code(String detail) {
        Matcher matcher = CODE.matcher(detail);
        return matcher.find() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }
}
