package dev.datachecksums.operator.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key as PEM, made by the JDK's keytool. */
public record TestCertificate(String certificatePem, String keyPem) {
    private static final String SECRET = "changeit";

    /** For these names, such as {@code dns:db.internal} or {@code ip:127.0.0.1}. */
    public static TestCertificate of(Path directory, String name) throws IOException, GeneralSecurityException {
        Path store = Files.createTempFile(directory, "store", ".p12");
        Files.delete(store);
        OsAccount self = new OsAccount(0, 0, false);
        self.run(
                        Path.of(System.getProperty("java.home"), "bin"),
                        "keytool",
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=" + name,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        SECRET)
                .orThrow();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, SECRET.toCharArray());
        }
        Key key = keys.getKey("server", SECRET.toCharArray());
        return new TestCertificate(
                pem("CERTIFICATE", keys.getCertificate("server").getEncoded()), pem("PRIVATE KEY", key.getEncoded()));
    }

    /** Starts a server with this certificate, and a superuser "required" that it lets in by TLS only. */
    public LocalPostgres server() throws IOException {
        LocalPostgres server = LocalPostgres.builder()
                .hba("hostnossl all required all reject")
                .set("ssl", "on")
                .set("ssl_cert_file", "server.crt")
                .set("ssl_key_file", "server.key")
                .create();
        Path key = server.dataDirectory().resolve("server.key");
        Files.writeString(server.dataDirectory().resolve("server.crt"), certificatePem);
        Files.writeString(key, keyPem);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        server.account().own(server.dataDirectory());
        server.start();
        server.execute("CREATE ROLE required LOGIN SUPERUSER");
        return server;
    }

    private static String pem(String type, byte[] bytes) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }
}
