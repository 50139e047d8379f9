package dev.datachecksums.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** Declares whether the data pages of one PostgreSQL instance carry checksums. */
@Group(DataChecksums.GROUP)
@Version(DataChecksums.VERSION)
@Plural("datachecksums")
@Singular("datachecksums")
@ShortNames("dck")
@Categories("postgresql")
@AdditionalPrinterColumn(name = "Desired", jsonPath = ".spec.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Method", jsonPath = ".status.method", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Progress",
        jsonPath = ".status.progress.summary",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "ETA",
        jsonPath = ".status.progress.remaining",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
        name = "Server",
        jsonPath = ".status.server.version",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 1)
@AdditionalSelectableField(jsonPath = ".spec.state")
@AdditionalSelectableField(jsonPath = ".status.phase")
@AdditionalSelectableField(jsonPath = ".status.state")
public class DataChecksums extends CustomResource<DataChecksumsSpec, DataChecksumsStatus> implements Namespaced {
    /** API group. */
    public static final String GROUP = "datachecksums.dev";
    /** API version. */
    public static final String VERSION = "v1alpha1";

    /** Without {@code @Required} here the API server would accept an object that has no spec. */
    @Override
    @Required
    public DataChecksumsSpec getSpec() {
        return super.getSpec();
    }
}
