package dev.datachecksums.operator.decide.check;

import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.online.WalRoom;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.observe.OnlineView;

/** Whether there is room for the WAL of a run, about one data size. Unknown where the server's image cannot tell. */
final class WalHeadroom implements OnlineCheck {

    @Override
    public String name() {
        return "WalHeadroom";
    }

    @Override
    public Finding examine(Observation o, OnlineView view) {
        return view.walSpace()
                .flatMap(space -> WalRoom.tooLittle(view.facts(), space))
                .map(
                        why -> block(
                                "There is too little room for the WAL: " + why,
                                "Enlarge the volume, or have what keeps WAL let go of it: replication slots, a failing archive_command"))
                .orElseGet(this::pass);
    }
}
