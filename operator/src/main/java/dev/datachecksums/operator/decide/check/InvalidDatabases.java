package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;
import dev.datachecksums.operator.postgres.online.OnlineFacts.DatabaseSize;
import java.util.List;

/** Whether every database can be gone through: one whose DROP DATABASE was interrupted cannot be connected to. */
final class InvalidDatabases implements OnlineCheck {

    @Override
    public String name() {
        return "InvalidDatabases";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        List<String> invalid = view.facts().databases().stream()
                .filter(DatabaseSize::invalid)
                .map(DatabaseSize::name)
                .toList();
        return invalid.isEmpty()
                ? pass()
                : block(
                        "A DROP DATABASE was interrupted and left invalid: " + String.join(", ", invalid),
                        "Drop what is left of it: DROP DATABASE \""
                                + invalid.get(0).replace("\"", "\"\"") + "\"");
    }
}
