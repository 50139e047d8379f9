package dev.datachecksums.api.crd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code make crds}: writes the files that {@link CrdTest} compares, below the root given as the argument. */
final class WriteGenerated {
    private WriteGenerated() {}

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args.length > 0 ? args[0] : ".").toAbsolutePath().normalize();
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            System.out.println(path);
        }
    }

    /** Path below the project's root to text. */
    static Map<String, String> files() {
        CrdDocument crd = CrdDocument.generate();
        return Map.of(
                "manifests/crds/datachecksums.dev_datachecksums.yaml", crd.yaml(),
                "docs/api.md", ApiReference.of(crd.definition()));
    }
}
