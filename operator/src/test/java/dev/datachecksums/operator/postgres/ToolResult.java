package dev.datachecksums.operator.postgres;

/** How a program ended, and what it wrote on both of its outputs. */
public record ToolResult(int exitCode, String output) {
    /** Throws unless the program succeeded. */
    public ToolResult orThrow() {
        if (exitCode != 0) {
            throw new IllegalStateException("exit code " + exitCode + ":\n" + output);
        }
        return this;
    }
}
