package dev.datachecksums.operator.instance;

import java.util.List;
import java.util.Optional;

/**
 * Where the server keeps its files, by its own word. Absolute paths in its container.
 *
 * @param data the data directory
 * @param wal where pg_wal really is, if it is a symbolic link out of the data directory
 */
public record Directories(String data, Optional<String> wal, List<Tablespace> tablespaces) {

    /** Copies the tablespaces. */
    public Directories {
        tablespaces = List.copyOf(tablespaces);
    }

    /** A tablespace that is not inside of the data directory. */
    public record Tablespace(String name, String location) {}

    /** A data directory without tablespaces, with pg_wal inside. */
    public static Directories of(String data) {
        return new Directories(data, Optional.empty(), List.of());
    }
}
