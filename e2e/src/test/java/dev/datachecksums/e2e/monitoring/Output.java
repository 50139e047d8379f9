package dev.datachecksums.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** What an operator really answers to a scrape. */
public final class Output {
    private static final String TYPE = "# TYPE ";

    private Output() {}

    /** By promtool's conventions, and each family with the type that docs/metrics.md says. */
    public static void check(String address) throws IOException, InterruptedException {
        String text = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Monitoring.Result lint = Monitoring.run(text, "promtool", "check", "metrics");
        assertThat(lint.output()).isEmpty();
        assertThat(lint.code()).isZero();
        String documented = Monitoring.read(Monitoring.ROOT.resolve("docs/metrics.md"));
        List<String> families = text.lines()
                .filter(l -> l.startsWith(TYPE))
                .map(l -> l.substring(TYPE.length()))
                .toList();
        assertThat(families).hasSizeGreaterThan(30).allSatisfy(family -> {
            String[] nameAndType = family.split(" ", -1);
            assertThat(documented).contains("| `" + nameAndType[0] + "` | " + nameAndType[1] + " |");
        });
    }
}
