package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ServerFacts;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.util.List;
import java.util.stream.Collectors;

/** Whether a base backup is running: it would carry the interlock along, and the stop would break it. */
final class BackupRunning implements ServerCheck {

    @Override
    public String name() {
        return "BackupRunning";
    }

    @Override
    public Finding examine(Observation o, ServerFacts server) {
        if (server.runningBackups().whyAbsent().isPresent()) {
            return unanswered(
                    server,
                    "Whether a base backup is running",
                    server.runningBackups().whyAbsent().get());
        }
        List<RunningBackup> backups = server.runningBackups().value().orElse(List.of());
        return backups.isEmpty()
                ? pass()
                : waitFor(
                        "A base backup is running: "
                                + backups.stream().map(BackupRunning::describe).collect(Collectors.joining("; ")),
                        "The conversion begins when it has ended");
    }

    private static String describe(RunningBackup b) {
        String who = b.applicationName().isBlank() ? "" : " of " + b.applicationName();
        return (b.pid() == null ? "" : "process " + b.pid() + who + ": ") + b.description();
    }
}
