package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConversionMethod;
import dev.datachecksums.api.v1alpha1.ConversionStatus;
import dev.datachecksums.api.v1alpha1.DataChecksumsStatus;
import dev.datachecksums.api.v1alpha1.OnlineRunStatus;
import dev.datachecksums.api.v1alpha1.ProgressStatus;
import dev.datachecksums.operator.decide.online.ClusterProgress;
import dev.datachecksums.operator.decide.online.Counters;
import dev.datachecksums.operator.decide.online.RelationMap;
import dev.datachecksums.operator.decide.online.Samples;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerException;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.online.DiskSpace;
import dev.datachecksums.operator.postgres.online.OnlineFacts;
import dev.datachecksums.operator.postgres.online.OnlineFacts.DatabaseSize;
import dev.datachecksums.operator.postgres.online.OnlineProgress.Worker;
import dev.datachecksums.operator.postgres.online.OnlineServer;
import dev.datachecksums.operator.postgres.online.TemporaryTables;
import dev.datachecksums.operator.postgres.online.Waits;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at servers that can convert online, and puts together what one look does not say: rates, and when a counter moved last. What it
 * keeps is in this process only; after a start of the operator it is learnt anew.
 */
public final class OnlineWatch {

    private static final Duration SPACE_KEPT = Duration.ofSeconds(10);
    private static final Duration TABLES_KEPT = Duration.ofSeconds(10);
    private static final int MOST_DATABASES = 50;

    private final OnlineServer server;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();

    /** Looks through that. */
    public OnlineWatch(OnlineServer server) {
        this.server = server;
    }

    /** What is known of one resource's run; looks at one resource never overlap. */
    private static final class Watched {
        private String run = "";
        private Optional<RelationMap> map = Optional.empty();
        private @Nullable Worker unreadable;
        private Samples samples = Samples.NONE;
        private @Nullable Counters counters;
        private @Nullable OnlineFacts sized;
        private Optional<Instant> moved = Optional.empty();
        private Optional<DiskSpace> space = Optional.empty();
        private Instant spaceAt = Instant.EPOCH;
        private List<TemporaryTables> tables = List.of();
        private Instant tablesAt = Instant.EPOCH;
    }

    /** Forgets a resource that has gone. */
    public void forget(String uid) {
        watched.remove(uid);
    }

    /** One look; missing if the server could not be asked. */
    Fact<OnlineView> look(String uid, ServerTarget target, DataChecksumsStatus status) {
        try {
            Watched w = watched.computeIfAbsent(uid, k -> new Watched());
            ConversionStatus c = status.conversion();
            boolean ours = c != null && c.method() == ConversionMethod.ONLINE;
            OnlineFacts f = read(w, target, ours);
            String run = ours && c != null ? c.id() : "";
            if (!run.equals(w.run)) {
                begin(w, run, ours ? status.progress() : null, f.observedAt());
            }
            relations(w, f, target);
            OnlineRunStatus told = c == null ? null : c.online();
            Optional<ClusterProgress> progress =
                    ClusterProgress.of(f, w.map, told == null ? null : told.workerBlocks());
            progress.ifPresent(p -> w.samples = w.samples.plus(f.observedAt(), p.bytesDone()));
            moved(w, f);
            space(w, f, target);
            tables(w, f, target, ours);
            return Fact.known(new OnlineView(f, w.tables, w.space, progress, w.samples.bytesPerSecond(), w.moved));
        } catch (ServerException e) {
            return Fact.missing(
                    Observer.camel(e.kind().name()),
                    String.valueOf(e.getMessage()),
                    "see spec.connection and the server's log");
        }
    }

    /** In a run the databases are measured now and then only: for that, every file of the server is looked at. */
    private OnlineFacts read(Watched w, ServerTarget target, boolean ours) throws ServerException {
        OnlineFacts sized = w.sized;
        OnlineFacts f = server.read(target, ours ? sized : null);
        if (!ours || sized == null) {
            w.sized = f;
        } else if (!f.observedAt().isBefore(sized.observedAt().plus(KeptWords.KEPT))) {
            w.sized = null;
        }
        return f;
    }

    /** Another run than the one looked at before; the status still knows when that one moved last, if the operator was started anew. */
    private static void begin(Watched w, String run, @Nullable ProgressStatus before, Instant now) {
        w.run = run;
        w.map = Optional.empty();
        w.unreadable = null;
        w.samples = Samples.NONE;
        w.counters = null;
        w.moved = Optional.of(movedBefore(before).orElse(now));
    }

    private static Optional<Instant> movedBefore(@Nullable ProgressStatus before) {
        try {
            return before == null || before.lastMovedTime() == null
                    ? Optional.empty()
                    : Optional.of(Instant.parse(before.lastMovedTime()));
        } catch (DateTimeParseException edited) {
            return Optional.empty();
        }
    }

    private static void moved(Watched w, OnlineFacts f) {
        Counters now = Counters.of(f.progress());
        if (w.counters != null && !now.equals(w.counters)) {
            w.moved = Optional.of(f.observedAt());
        }
        w.counters = now;
    }

    /** Once a worker: its list was made when it began. */
    private void relations(Watched w, OnlineFacts f, ServerTarget target) {
        // One that is about to start has no database yet.
        Optional<Worker> worker = f.progress().worker().filter(x -> x.database() != null);
        if (worker.isEmpty()
                || w.map.filter(m -> m.of(worker.get())).isPresent()
                || (w.unreadable != null
                        && w.unreadable.process().pid()
                                == worker.get().process().pid())) {
            return;
        }
        Worker now = worker.get();
        w.map = Optional.empty();
        long done = f.progress()
                .launcher()
                .map(l -> l.databasesDone() == null ? 0L : l.databasesDone())
                .orElse(0L);
        try {
            w.map = Optional.of(new RelationMap(
                    now.databaseOid(),
                    now.process().pid(),
                    server.relations(in(target, String.valueOf(now.database())), done == 0)));
        } catch (ServerException | IllegalArgumentException closed) {
            // Nobody may connect to that database: its relations are counted as they go by.
            w.unreadable = now;
        }
    }

    private void space(Watched w, OnlineFacts f, ServerTarget target) {
        if (f.observedAt().isBefore(w.spaceAt.plus(SPACE_KEPT))) {
            return;
        }
        w.spaceAt = f.observedAt();
        try {
            w.space = Optional.of(server.walSpace(target));
        } catch (ServerException unknown) {
            w.space = Optional.empty();
        }
    }

    private void tables(Watched w, OnlineFacts f, ServerTarget target, boolean ours) {
        Optional<Worker> waiting = f.progress().worker().filter(x -> x.process().waitsFor(Waits.TEMPORARY_TABLES));
        if (waiting.isPresent()) {
            w.tables = tables(in(target, String.valueOf(waiting.get().database())));
            w.tablesAt = Instant.EPOCH;
        } else if (ours || f.progress().launcher().isPresent()) {
            w.tables = List.of();
            w.tablesAt = Instant.EPOCH;
        } else if (!f.observedAt().isBefore(w.tablesAt.plus(TABLES_KEPT))) {
            w.tablesAt = f.observedAt();
            List<TemporaryTables> all = new ArrayList<>();
            f.databases().stream()
                    .filter(d -> d.allowsConnections() && !d.invalid())
                    .limit(MOST_DATABASES)
                    .map(DatabaseSize::name)
                    .forEach(name -> all.addAll(tables(in(target, name))));
            w.tables = List.copyOf(all);
        }
    }

    private List<TemporaryTables> tables(ServerTarget target) {
        try {
            return server.temporaryTables(target);
        } catch (ServerException closed) {
            return List.of();
        }
    }

    private static ServerTarget in(ServerTarget target, String database) {
        ServerAddress a = target.address();
        return new ServerTarget(
                new ServerAddress(a.host(), a.port(), database), target.credentials(), target.tls(), target.timeouts());
    }
}
