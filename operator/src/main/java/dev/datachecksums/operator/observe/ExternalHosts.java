package dev.datachecksums.operator.observe;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The hosts that a declaration may name besides the services of its own namespace: whoever may declare would else use
 * the operator to reach what its place in the network reaches.
 *
 * @param entries a name or an address; {@code .example.com} for every name below; {@code *} for all
 */
public record ExternalHosts(Set<String> entries) {

    private static final Pattern ENTRY =
            Pattern.compile("\\*|\\.?[a-z0-9]([a-z0-9._-]*[a-z0-9])?|[0-9a-f:]*:[0-9a-f:.]*");

    /** The entries in lower case. */
    public ExternalHosts {
        entries = Set.copyOf(entries);
    }

    /**
     * Reads entries as a user writes them.
     *
     * @throws IllegalArgumentException naming the one that is none
     */
    public static ExternalHosts of(Set<String> entries) {
        for (String e : entries) {
            if (!ENTRY.matcher(e.toLowerCase(Locale.ROOT)).matches()) {
                throw new IllegalArgumentException(
                        e + " is no name, no address, no .suffix and not * (ranges of addresses are not known)");
            }
        }
        return new ExternalHosts(
                Set.copyOf(entries.stream().map(e -> e.toLowerCase(Locale.ROOT)).toList()));
    }

    /** None. */
    public static ExternalHosts none() {
        return new ExternalHosts(Set.of());
    }

    boolean allow(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return entries.contains("*")
                || entries.contains(name)
                || entries.stream().anyMatch(e -> e.startsWith(".") && name.endsWith(e));
    }
}
