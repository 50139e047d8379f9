package dev.datachecksums.operator.observe;

import dev.datachecksums.api.v1alpha1.ConnectionSpec;
import dev.datachecksums.api.v1alpha1.CredentialsSpec;
import dev.datachecksums.api.v1alpha1.TlsMode;
import dev.datachecksums.api.v1alpha1.TlsSpec;
import dev.datachecksums.operator.instance.WorkloadFacts.PodFacts;
import dev.datachecksums.operator.postgres.Credentials;
import dev.datachecksums.operator.postgres.ServerAddress;
import dev.datachecksums.operator.postgres.ServerTarget;
import dev.datachecksums.operator.postgres.Timeouts;
import dev.datachecksums.operator.postgres.Tls;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Works out where a server answers and as whom to log in. Secrets are read by name, in the resource's own namespace,
 * and are not kept.
 */
final class Targets {

    private final KubernetesClient client;
    private final Hosts hosts;
    private final Timeouts timeouts;

    Targets(KubernetesClient client, Hosts hosts, Timeouts timeouts) {
        this.client = client;
        this.hosts = hosts;
        this.timeouts = timeouts;
    }

    /** The way to the server; missing with a reason that the gate knows. */
    Fact<ServerTarget> of(String namespace, ConnectionSpec spec, Optional<PodFacts> pod) {
        String host;
        try {
            Fact<String> found = host(namespace, spec, pod);
            if (found instanceof Fact.Missing<String> m) {
                return Fact.missing(m.reason(), m.message(), m.remedy());
            }
            host = found.seen().orElseThrow();
        } catch (KubernetesClientException e) {
            return ApiProblem.missing(e, "get", "services", namespace);
        }
        try {
            Credentials credentials = credentials(namespace, spec.credentials());
            ServerAddress address = new ServerAddress(host, spec.portNumber(), spec.database());
            return Fact.known(new ServerTarget(address, credentials, tls(namespace, spec.tls()), timeouts));
        } catch (Unusable e) {
            return Fact.missing(e.reason, e.what, e.remedy);
        } catch (IllegalArgumentException e) {
            return Fact.missing(
                    "BadConnection", String.valueOf(e.getMessage()), "correct spec.connection and its Secret");
        } catch (KubernetesClientException e) {
            return ApiProblem.missing(e, "get", "secrets", namespace);
        }
    }

    /**
     * The pod's address unless the declaration names a host: a pod's DNS name exists only once the pod is ready, and is
     * cached as absent. With VerifyFull the certificate has to name the host, so the pod's DNS name is used.
     */
    private Fact<String> host(String namespace, ConnectionSpec spec, Optional<PodFacts> pod) {
        Optional<String> address = pod.flatMap(PodFacts::ip);
        if (spec.host() != null) {
            return hosts.resolve(namespace, spec.host(), address);
        }
        if (spec.tls().mode() == TlsMode.VERIFY_FULL && pod.isPresent()) {
            PodSpec p = pod.get().raw().getSpec();
            if (p.getHostname() != null && p.getSubdomain() != null) {
                return Fact.known(p.getHostname() + "." + p.getSubdomain() + "." + namespace + ".svc");
            }
        }
        return address.map(Fact::known)
                .orElseGet(() -> Fact.missing(
                        "NoAddress",
                        "the instance's pod has no address",
                        "wait for the pod, or see why it does not start: kubectl describe pod"));
    }

    private Credentials credentials(String namespace, CredentialsSpec spec) throws Unusable {
        Secret secret = secret(namespace, spec.secretName());
        return new Credentials(
                value(secret, spec.secretName(), spec.usernameKey()),
                value(secret, spec.secretName(), spec.passwordKey()));
    }

    private Tls tls(String namespace, TlsSpec spec) throws Unusable {
        Tls.Mode mode = Tls.Mode.valueOf(spec.mode().name());
        String name = spec.caSecretName();
        String key = spec.caKey();
        return name == null || key == null ? Tls.of(mode) : new Tls(mode, value(secret(namespace, name), name, key));
    }

    private Secret secret(String namespace, String name) throws Unusable {
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            throw new Unusable(
                    "SecretNotFound",
                    "there is no Secret " + name + " in namespace " + namespace,
                    "create it, or correct its name in spec.connection");
        }
        return secret;
    }

    private static String value(Secret secret, String name, String key) throws Unusable {
        String encoded = secret.getData() == null ? null : secret.getData().get(key);
        String text = encoded == null ? null : decode(encoded);
        if (text == null || text.isEmpty()) {
            throw new Unusable(
                    "SecretKeyMissing",
                    "the Secret " + name + " has no usable text under the key " + key,
                    "add the key, or name the right one in spec.connection");
        }
        return text;
    }

    private static @Nullable String decode(String encoded) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)))
                    .toString();
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return null;
        }
    }

    /** A Secret that is not there, or does not hold what the declaration says. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;
        private final String what;
        private final String remedy;

        Unusable(String reason, String what, String remedy) {
            super(what);
            this.reason = reason;
            this.what = what;
            this.remedy = remedy;
        }
    }
}
