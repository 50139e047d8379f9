package dev.datachecksums.operator.leader;

import java.util.Optional;

/**
 * Where the Lease is kept. Every method throws a KubernetesClientException where the API refuses or does not answer; a
 * write that came after somebody else's does so with code 409.
 */
interface LeaseStore {

    /** As it stands now; empty: there is none yet. */
    Optional<LeaseView> read();

    /** Makes it, held by that identity. */
    LeaseView create(String holder);

    /**
     * Renews it, takes it over, or gives it back.
     *
     * @param seen what it must still be
     * @param holder empty: nobody
     */
    LeaseView write(LeaseView seen, String holder);
}
