package dev.datachecksums.operator.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.datachecksums.operator.postgres.TestCertificate;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpEndpointsTest {
    @TempDir
    Path folder;

    private HttpEndpoints serve(Optional<HttpEndpoints.Tls> tls) {
        return new HttpEndpoints(0, tls, 0, Registry.create(), Optional::empty, Optional::empty);
    }

    @Test
    void plainHttpIsCompressedForWhomAsksForIt() throws Exception {
        try (HttpEndpoints http = serve(Optional.empty())) {
            var connection = new URL("http://127.0.0.1:" + http.metricsPort() + "/metrics").openConnection();
            connection.setRequestProperty("Accept-Encoding", "gzip");
            try (InputStream in = new GZIPInputStream(connection.getInputStream())) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("process_cpu_seconds_total");
            }
        }
    }

    @Test
    void aChangedCertificateIsServedWithoutARestart() throws Exception {
        TestCertificate first = TestCertificate.of(folder, "ip:127.0.0.1");
        TestCertificate second = TestCertificate.of(folder, "ip:127.0.0.1");
        Path certificate = Files.writeString(folder.resolve("tls.crt"), first.certificatePem());
        Path key = Files.writeString(folder.resolve("tls.key"), first.keyPem());
        try (HttpEndpoints https = serve(Optional.of(new HttpEndpoints.Tls(certificate, key)))) {
            assertThat(get(https.metricsPort(), first)).contains("process_cpu_seconds_total");
            Files.writeString(certificate, second.certificatePem());
            Files.writeString(key, second.keyPem());
            FileTime later = FileTime.from(Instant.now().plusSeconds(5));
            Files.setLastModifiedTime(certificate, later);
            Files.setLastModifiedTime(key, later);
            assertThat(get(https.metricsPort(), second)).contains("process_cpu_seconds_total");
            assertThatThrownBy(() -> get(https.metricsPort(), first)).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void filesThatAreNoCertificateAreNamed() throws Exception {
        Path no = Files.writeString(folder.resolve("no.crt"), "nothing");
        assertThatThrownBy(() -> serve(Optional.of(new HttpEndpoints.Tls(no, no))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no.crt")
                .hasMessageContaining("PEM");
    }

    private static String get(int port, TestCertificate trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry(
                "it",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(
                                trusted.certificatePem().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        HttpsURLConnection connection =
                (HttpsURLConnection) new URL("https://127.0.0.1:" + port + "/metrics").openConnection();
        connection.setSSLSocketFactory(context.getSocketFactory());
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
