package dev.datachecksums.operator.telemetry;

import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A certificate and its key in PEM files, read anew once they have changed: certificates of a cluster are short-lived. */
final class ServerKeys extends X509ExtendedKeyManager {

    private static final Logger LOG = LoggerFactory.getLogger(ServerKeys.class);

    private final Path certificate;
    private final Path key;
    private volatile Loaded loaded;

    private record Loaded(FileTime certificate, FileTime key, X509ExtendedKeyManager manager) {}

    private ServerKeys(Path certificate, Path key) throws IOException {
        this.certificate = certificate;
        this.key = key;
        this.loaded = load();
    }

    /**
     * Makes a context that serves with them.
     *
     * @throws IllegalArgumentException with a message for the person at the command line
     */
    static SSLContext context(Path certificate, Path key) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new ServerKeys(certificate, key)}, null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the certificate " + certificate + " and its key " + key + " cannot be used: " + e.getMessage()
                            + "; give PEM files that belong together",
                    e);
        }
    }

    private Loaded load() throws IOException {
        FileTime certificateTime = Files.getLastModifiedTime(certificate);
        FileTime keyTime = Files.getLastModifiedTime(key);
        @Nullable Exception last = null;
        for (String algorithm : List.of("RSA", "EC")) {
            try {
                KeyManager[] managers = SSLUtils.keyManagers(
                        null, certificate.toString(), null, key.toString(), algorithm, "", null, null);
                if (managers.length > 0 && managers[0] instanceof X509ExtendedKeyManager m) {
                    return new Loaded(certificateTime, keyTime, m);
                }
            } catch (GeneralSecurityException | IOException | RuntimeException e) {
                last = e;
            }
        }
        throw new IOException(last == null ? "no key was found" : last.getMessage(), last);
    }

    private X509ExtendedKeyManager now() {
        Loaded l = loaded;
        try {
            if (!Files.getLastModifiedTime(certificate).equals(l.certificate())
                    || !Files.getLastModifiedTime(key).equals(l.key())) {
                l = load();
                loaded = l;
            }
        } catch (IOException e) {
            LOG.warn("the changed certificate {} cannot be used, the one before is: {}", certificate, e.getMessage());
        }
        return l.manager();
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return now().chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return now().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return loaded.manager().getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return loaded.manager().getPrivateKey(alias);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return loaded.manager().getServerAliases(type, issuers);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
