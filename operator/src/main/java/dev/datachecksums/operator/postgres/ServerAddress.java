package dev.datachecksums.operator.postgres;

import java.util.regex.Pattern;

/**
 * Where a server answers. The host is a DNS name or an IP address and nothing else: the driver builds a URL of it, and a host that
 * carried a slash or a question mark could set driver properties.
 */
public record ServerAddress(String host, int port, String database) {
    private static final Pattern NAME_OR_IPV4 = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:]{2,39}");

    /** @throws IllegalArgumentException if a part is not usable, with a message for users */
    public ServerAddress {
        if (!NAME_OR_IPV4.matcher(host).matches() && !isIpv6(host)) {
            throw new IllegalArgumentException("\"" + ServerException.printable(host)
                    + "\" is not a host: give a DNS name or an IP address, without port, brackets or slashes");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(port + " is not a port: give a number from 1 to 65535");
        }
        if (database.isBlank() || database.length() > 63 || database.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the database's name must have from 1 to 63 characters");
        }
    }

    private static boolean isIpv6(String host) {
        return host.contains(":") && IPV6.matcher(host).matches();
    }

    String hostForDriver() {
        return isIpv6(host) ? "[" + host + "]" : host;
    }

    /** host:port, as a reader knows it. */
    @Override
    public String toString() {
        return hostForDriver() + ":" + port;
    }
}
