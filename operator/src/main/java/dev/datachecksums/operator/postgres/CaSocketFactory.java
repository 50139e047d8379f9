package dev.datachecksums.operator.postgres;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.postgresql.ssl.WrappedFactory;

/**
 * Trusts the certificates of a PEM text, held in memory: the driver's own factory wants a file. Public because the driver makes it by
 * name; the host name is verified by the driver.
 */
public final class CaSocketFactory extends WrappedFactory {
    /** @throws GeneralSecurityException if the text holds no certificate or one that cannot be read */
    public CaSocketFactory(String pem) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates(pem)) {
            trusted.setCertificateEntry("ca" + number++, certificate);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        factory = context.getSocketFactory();
    }

    static Collection<? extends Certificate> certificates(String pem) throws CertificateException {
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
        if (found.isEmpty()) {
            throw new CertificateException("there is no certificate in the text");
        }
        return found;
    }
}
