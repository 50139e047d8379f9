package dev.datachecksums.operator.decide.check;

import static dev.datachecksums.operator.decide.Observations.atRest;
import static dev.datachecksums.operator.decide.check.Asked.blocks;
import static dev.datachecksums.operator.decide.check.Asked.passes;
import static dev.datachecksums.operator.decide.check.Asked.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.api.v1alpha1.DesiredState;
import dev.datachecksums.api.v1alpha1.Method;
import dev.datachecksums.api.v1alpha1.OfflineStrategy;
import dev.datachecksums.operator.decide.Finding;
import dev.datachecksums.operator.decide.Gate;
import dev.datachecksums.operator.decide.Observations;
import dev.datachecksums.operator.decide.Planner;
import dev.datachecksums.operator.decide.Servers;
import dev.datachecksums.operator.postgres.Answer;
import dev.datachecksums.operator.postgres.AutoConf;
import dev.datachecksums.operator.postgres.ChecksumState;
import dev.datachecksums.operator.postgres.ServerFacts.ConfigError;
import dev.datachecksums.operator.postgres.ServerFacts.RunningBackup;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a conversion in place asks of the policy and of the server, one by one. */
class OfflineChainTest {

    static Stream<Arguments> policy() {
        FunctionPresent function = new FunctionPresent();
        StrategyAvailable strategy = new StrategyAvailable();
        InstanceDeclared instance = new InstanceDeclared();
        return Stream.of(
                passes(function, "PreferOnline, no functions", atRest()),
                passes(function, "Online, functions", online().server(Servers::functions)),
                blocks(
                        function,
                        "Online, no functions, off",
                        online(),
                        "PostgreSQL 17.12 has no function...PreferOnline or Offline...pg_upgrade...--no-data-checksums"
                                + " (from 18 on...must not run during"),
                blocks(
                        function,
                        "Online, no functions, on",
                        online().state(DesiredState.DISABLED).server(s -> s.checksums(ChecksumState.ON)),
                        "PreferOnline or Offline...--data-checksums (the default from 18 on)"),
                passes(strategy, "Auto", atRest()),
                passes(strategy, "InPlace", atRest().strategy(OfflineStrategy.IN_PLACE)),
                passes(strategy, "TemporaryStandby", atRest().strategy(OfflineStrategy.TEMPORARY_STANDBY)),
                blocks(
                        strategy,
                        "Rolling",
                        atRest().strategy(OfflineStrategy.ROLLING),
                        "Rolling...one node...Auto, InPlace or TemporaryStandby"),
                passes(instance, "a StatefulSet", atRest()),
                blocks(instance, "external", atRest().external(), "only be converted online"));
    }

    static Stream<Arguments> server() {
        Superuser superuser = new Superuser();
        SettledState settled = new SettledState();
        IgnoreChecksumFailure ignore = new IgnoreChecksumFailure();
        ConfigLoads config = new ConfigLoads();
        AutoConfIsPlain auto = new AutoConfIsPlain();
        ServerUser user = new ServerUser();
        BackupRunning backup = new BackupRunning();
        ReplicasKnown replicas = new ReplicasKnown();
        OutageFits outage = new OutageFits(new Planner(Gates.standard().standby()));
        return Stream.of(
                passes(superuser, "one", atRest()),
                blocks(superuser, "none", atRest().server(Servers::noSuperuser), "orders-superuser is no superuser"),
                passes(auto, "plain", atRest()),
                passes(auto, "nobody knows", atRest().server(s -> s.autoConf(Answer.absent("no shell")))),
                blocks(
                        auto,
                        "a link",
                        atRest().server(s -> s.autoConf(Answer.given(AutoConf.NOT_PLAIN))),
                        "in spite of the interlock"),
                blocks(
                        auto,
                        "unreadable",
                        atRest().server(s -> s.autoConf(Answer.given(AutoConf.UNREADABLE))),
                        "cannot read"),
                blocks(
                        auto,
                        "none",
                        atRest().server(s -> s.autoConf(Answer.given(AutoConf.MISSING))),
                        "no postgresql.auto.conf"),
                passes(settled, "off", atRest()),
                passes(settled, "on", atRest().server(s -> s.checksums(ChecksumState.ON))),
                blocks(
                        settled,
                        "inprogress-on",
                        atRest().server(s -> s.checksums(ChecksumState.INPROGRESS_ON)),
                        "being switched...pg_disable_data_checksums()"),
                blocks(
                        settled,
                        "inprogress-off",
                        atRest().server(s -> s.checksums(ChecksumState.INPROGRESS_OFF)),
                        "being switched"),
                blocks(settled, "?", atRest().server(s -> s.checksums(ChecksumState.UNKNOWN)), "does not know"),
                passes(ignore, "off", atRest()),
                passes(
                        ignore,
                        "on, and checksums go off",
                        atRest().state(DesiredState.DISABLED).server(Servers::ignoreChecksumFailure)),
                blocks(ignore, "on", atRest().server(Servers::ignoreChecksumFailure), "RESET ignore_checksum_failure"),
                passes(config, "no error", atRest()),
                passes(
                        config,
                        "no superuser",
                        atRest().server(s -> s.noSuperuser().configErrors(Answer.absent("x")))),
                waits(
                        config,
                        "no answer",
                        atRest().server(s -> s.configErrors(Answer.absent("took 10 s"))),
                        "took 10 s"),
                blocks(
                        config,
                        "an error",
                        atRest().server(s -> s.configErrors(Answer.given(
                                List.of(new ConfigError("work_mem", "/pg/postgresql.conf", 12, "invalid value"))))),
                        "would not start again...postgresql.conf line 12: work_mem: invalid value"),
                passes(user, "known", atRest()),
                passes(
                        user,
                        "no superuser",
                        atRest().server(s -> s.noSuperuser().osUser(Answer.absent("x")))),
                blocks(user, "unknown", atRest().server(s -> s.osUser(Answer.absent("no /proc"))), "no /proc"),
                passes(backup, "none", atRest()),
                passes(
                        backup,
                        "no superuser",
                        atRest().server(s -> s.noSuperuser().backups(Answer.absent("x")))),
                waits(backup, "no answer", atRest().server(s -> s.backups(Answer.absent("took 10 s"))), "took 10 s"),
                waits(
                        backup,
                        "one runs",
                        atRest().server(s -> s.backups(Answer.given(
                                List.of(new RunningBackup(4711, "pgBackRest [backup]", "a backup session"))))),
                        "process 4711 of pgBackRest [backup]: a backup session"),
                waits(
                        backup,
                        "an exclusive one",
                        atRest().server(s ->
                                s.backups(Answer.given(List.of(new RunningBackup(null, "", "an exclusive backup"))))),
                        "is running: an exclusive backup"),
                passes(replicas, "none", atRest()),
                passes(
                        replicas,
                        "no superuser",
                        atRest().server(s -> s.noSuperuser().standbys(Answer.absent("x")))),
                waits(replicas, "no answer", atRest().server(s -> s.standbys(Answer.absent("took 10 s"))), "took 10 s"),
                blocks(
                        replicas,
                        "one",
                        atRest().server(s -> s.standbys(Answer.given(1))),
                        "1 standby streams...pg_rewind"),
                blocks(replicas, "two", atRest().server(s -> s.standbys(Answer.given(2))), "2 standbys stream"),
                passes(outage, "300 MB in 30 min", atRest()),
                passes(
                        outage,
                        "a petabyte, and off needs the control file only",
                        atRest().state(DesiredState.DISABLED).server(s -> s.bytes(1L << 50))),
                passes(
                        outage,
                        "off, of unknown size",
                        atRest().state(DesiredState.DISABLED).server(s -> s.bytes(Answer.absent("took 10 s")))),
                blocks(
                        outage,
                        "more than maxOutage",
                        atRest().maxOutage("10s").server(s -> s.bytes(10L << 30)),
                        "1m11s for 10240 MiB...maxOutage is 10s"),
                waits(
                        outage,
                        "unknown size",
                        atRest().server(s -> s.bytes(Answer.absent("took 10 s"))),
                        "size of the data...took 10 s"));
    }

    private static Observations online() {
        return atRest().method(Method.ONLINE);
    }

    @ParameterizedTest
    @MethodSource({"policy", "server"})
    void check(Asked row) {
        row.verify();
    }

    @Test
    void everyCheckHasARowThatPassesAndOneThatFails() {
        List<Asked> rows = Stream.of(
                        policy(), server(), WorkloadChainTest.table(), ServerChainTest.table(), NodesTest.table())
                .flatMap(s -> s)
                .map(a -> (Asked) ((org.junit.jupiter.api.Named<?>) a.get()[0]).getPayload())
                .toList();
        Gate gate = Gates.standard();
        assertThat(Stream.concat(gate.server().stream(), gate.offline().stream()))
                .allSatisfy(check -> assertThat(rows)
                        .filteredOn(r -> r.check().name().equals(check.name()))
                        .as(check.name())
                        .anyMatch(r -> r.answer() == Asked.Answer.PASS)
                        .anyMatch(r -> r.answer() != Asked.Answer.PASS));
    }

    @Test
    void allThatIsToBeMendedIsSaidAtOnce() {
        List<Finding> findings = Gates.standard()
                .askOffline(atRest().strategy(OfflineStrategy.ROLLING)
                        .forbidden("delete pods")
                        .server(s -> s.standbys(Answer.given(1)))
                        .workload(w -> w.budgets("db"))
                        .build());
        assertThat(findings)
                .extracting(Finding::check)
                .containsExactly("StrategyAvailable", "Permissions", "DisruptionBudget", "ReplicasKnown");
    }

    @Test
    void whatPassesEveryCheckPassesTheGate() {
        assertThat(Gates.standard().askOffline(atRest().build())).isEmpty();
    }
}
