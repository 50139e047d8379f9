package dev.datachecksums.operator.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which words of a server that does not come up are about our interlocks. */
class InterlockTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOG:  unrecognized configuration parameter \"data_checksums_conversion_in_progress\" in file",
                "FATAL:  required WAL directory \"pg_wal\" does not exist",
                "FATAL:  benötigtes WAL-Verzeichnis »pg_wal« existiert nicht",
                "FATAL:  le répertoire « pg_wal » requis pour les journaux de transactions n'existe pas",
                "FATAL:  必須のWALディレクトリ\"pg_wal\"は存在しません"
            })
    void refusals(String line) {
        assertThat(Interlock.refusesIn("LOG:  starting PostgreSQL\n" + line + "\nLOG:  x"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FATAL:  could not open file \"pg_wal/000000010000000000000001\": No such file or directory",
                "FATAL:  could not open directory \"pg_wal\": Permission denied",
                "fixing permissions on existing directory /wal/pg_wal ... ok",
                "PANIC:  could not locate a valid checkpoint record",
                "FATAL:  could not write to file \"pg_wal/xlogtemp.12\": No space left on device"
            })
    void otherTrouble(String line) {
        assertThat(Interlock.refusesIn("LOG:  starting PostgreSQL\n" + line + "\n"))
                .isFalse();
    }
}
