package dev.datachecksums.operator.status;

import dev.datachecksums.api.v1alpha1.UpgradeStatus;
import dev.datachecksums.operator.observe.Observation;
import dev.datachecksums.operator.postgres.ChecksumState;
import org.jspecify.annotations.Nullable;

/**
 * What pg_upgrade asks for: the new cluster's initdb must make the state of the old one. From 18 on initdb turns
 * checksums on by default, and knows --no-data-checksums; before, it knows neither.
 */
final class Upgrade {

    private Upgrade() {}

    static @Nullable UpgradeStatus of(Observation o) {
        if (o.conversion().isPresent()) {
            return new UpgradeStatus("NotReady", null, "a conversion is under way: wait for its end before pg_upgrade");
        }
        return o.server().seen().map(s -> of(s.checksums())).orElse(o.status().upgrade());
    }

    private static UpgradeStatus of(ChecksumState state) {
        return switch (state) {
            case ON ->
                new UpgradeStatus(
                        "Ready",
                        "--data-checksums",
                        "checksums are on: the new cluster's initdb needs --data-checksums (the default from PostgreSQL 18 on)");
            case OFF ->
                new UpgradeStatus(
                        "Ready",
                        "--no-data-checksums",
                        "checksums are off: from PostgreSQL 18 on the new cluster's initdb needs --no-data-checksums; before 18 no option");
            case INPROGRESS_ON, INPROGRESS_OFF, UNKNOWN ->
                new UpgradeStatus(
                        "NotReady", null, "the checksums are in no settled state: pg_upgrade would refuse the cluster");
        };
    }
}
