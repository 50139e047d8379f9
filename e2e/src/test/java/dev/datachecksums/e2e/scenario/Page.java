package dev.datachecksums.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A table of one page with one row of text, and the damage of 16 of its bytes on the disk. */
final class Page {
    static final String ROW = "a".repeat(200);
    static final String DAMAGED = "Z".repeat(16);
    private static final int PAGE = 8192;

    private final Database database;
    private final String table;
    private final Path file;

    private Page(Database database, String table) {
        this.database = database;
        this.table = table;
        this.file = database.files().resolve(database.server().query("select pg_relation_filepath('" + table + "')"));
    }

    static Page write(Database database, String table) {
        database.server()
                .execute(
                        "create table " + table + " (t text)",
                        "alter table " + table + " alter t set storage plain",
                        "insert into " + table + " values (repeat('a', 200))",
                        "checkpoint");
        return new Page(database, table);
    }

    /** While the server is stopped, so that it reads the page anew. Rows stand at a page's end: these bytes are the row's. */
    void damage() {
        database.server().scale(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer before = ByteBuffer.allocate(16);
            channel.read(before, PAGE - 100);
            assertThat(new String(before.array(), StandardCharsets.US_ASCII)).isEqualTo("a".repeat(16));
            channel.write(ByteBuffer.wrap(DAMAGED.getBytes(StandardCharsets.US_ASCII)), PAGE - 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        database.server().scale(1);
    }

    String read() {
        return database.server().query("select t from " + table);
    }

    /** As the server's errors name it. */
    String relation() {
        return database.files().relativize(file).toString();
    }
}
