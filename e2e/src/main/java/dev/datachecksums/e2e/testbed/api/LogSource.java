package dev.datachecksums.e2e.testbed.api;

import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalInt;

/** Where {@code pods/log} comes from: the stand-in of the kubelet. */
public interface LogSource {

    /**
     * What of a log is wanted.
     *
     * @param container empty for the pod's first one
     * @param follow until the container ends
     * @param previous of the container's instance before this one
     */
    record Wish(
            String namespace,
            String pod,
            String container,
            boolean follow,
            boolean previous,
            boolean timestamps,
            OptionalInt tailLines,
            long sinceSeconds) {}

    /** A log that exists; nothing is written before the answer has begun. */
    interface Log {
        void copyTo(OutputStream out) throws IOException;
    }

    /**
     * Finds a log.
     *
     * @throws ApiException 400 if the container does not exist or has not started
     */
    Log open(Wish wish);

    /** A 400 as the kubelet gives it. */
    static ApiException unavailable(String why) {
        return ApiException.badRequest(why);
    }
}
