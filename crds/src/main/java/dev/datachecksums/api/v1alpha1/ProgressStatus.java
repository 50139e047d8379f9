package dev.datachecksums.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How far the running conversion is. What is not known is absent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ProgressStatus(
        @JsonPropertyDescription("Progress in words, such as 43%.") @Nullable
        String summary,

        @JsonPropertyDescription("Whole percent done, 0 to 100; never goes back within a try.") @Nullable
        Integer percent,

        @JsonPropertyDescription("Bytes done.") @Nullable Long bytesDone,
        @JsonPropertyDescription("Bytes in all.") @Nullable Long bytesTotal,

        @JsonPropertyDescription("Rate in bytes per second.") @Nullable
        Long bytesPerSecond,

        @JsonPropertyDescription("Databases done.") @Nullable
        Long databasesDone,

        @JsonPropertyDescription("Databases in all.") @Nullable
        Long databasesTotal,

        @JsonPropertyDescription("Relations of the current database done.") @Nullable
        Long relationsDone,

        @JsonPropertyDescription("Relations of the current database in all.") @Nullable
        Long relationsTotal,

        @JsonPropertyDescription("Blocks done.") @Nullable Long blocksDone,
        @JsonPropertyDescription("Blocks in all.") @Nullable Long blocksTotal,

        @JsonPropertyDescription("Database that is being converted.") @Nullable
        String currentDatabase,

        @JsonPropertyDescription("Relation that is being converted.") @Nullable
        String currentRelation,

        @JsonPropertyDescription("What the conversion waits for, if it waits.") @Nullable
        String waitingOn,

        @JsonPropertyDescription("Estimated time to the end, such as 2m5s.") @Nullable
        String remaining,

        @JsonPropertyDescription("Estimated end: RFC 3339.") @Nullable
        String estimatedCompletion,

        @JsonPropertyDescription("When a counter last moved: RFC 3339.") @Nullable
        String lastMovedTime) {}
