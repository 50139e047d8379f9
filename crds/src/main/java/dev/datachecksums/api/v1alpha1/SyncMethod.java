package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How pg_checksums makes its writes durable (its {@code --sync-method}, PostgreSQL 17 and later). */
public enum SyncMethod {
    /** fsync of every file. */
    @JsonProperty("Fsync")
    FSYNC,
    /** One syncfs of the file system; before PostgreSQL 17 fsync is used. */
    @JsonProperty("Syncfs")
    SYNCFS
}
