package dev.datachecksums.operator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** At no moment two act, and after a failure one does again; whatever the clocks of the machines say. */
class LeadershipTest {
    private final FakeLease lease = new FakeLease();
    private long now;
    private final Replica a = new Replica("a");
    private final Replica b = new Replica("b");

    @Test
    void theFirstToLookLeadsAndTheOtherWaits() {
        a.look();
        b.look();
        assertThat(a.leadership.held()).isTrue();
        assertThat(b.leadership.held()).isFalse();
        assertThat(a.heard).containsExactly("gained");
        assertThat(b.heard).isEmpty();
    }

    @Test
    void aLeaderThatRenewsKeepsTheLease() {
        for (int i = 0; i < 60; i++) {
            a.look();
            b.look();
            pass(Leadership.RETRY);
            assertThat(a.leadership.held()).isTrue();
            assertThat(b.leadership.held()).isFalse();
        }
        assertThat(a.heard).containsExactly("gained");
    }

    /** The one that was killed cannot say so; the other must be sure that it has begun nothing more. */
    @Test
    void aLeaseThatIsNotRenewedIsTakenOverAfterItsTime() {
        a.look();
        b.look();
        Duration waited = Duration.ZERO;
        while (!b.leadership.held()) {
            assertThat(waited).isLessThanOrEqualTo(Leadership.LEASE.plus(Leadership.RETRY));
            pass(Leadership.RETRY);
            waited = waited.plus(Leadership.RETRY);
            b.look();
        }
        assertThat(waited).isGreaterThanOrEqualTo(Leadership.LEASE);
        assertThat(a.leadership.held()).isFalse();
        assertThat(lease.transitions()).isEqualTo(1);
    }

    @Test
    void theLookAfterWhichItIsFreeComesWhenItIs() {
        a.look();
        b.look();
        Duration waited = Duration.ZERO;
        while (!b.leadership.held()) {
            assertThat(waited).isLessThan(Leadership.LEASE);
            Duration pause = b.leadership.pause();
            pass(pause);
            waited = waited.plus(pause);
            b.look();
        }
        assertThat(waited).isEqualTo(Leadership.LEASE);
        assertThat(b.leadership.pause()).isEqualTo(Leadership.RETRY);
    }

    @Test
    void aLeaderThatCannotRenewBeginsNothingLongBeforeTheOtherLeads() {
        a.look();
        lease.awayFor = "a";
        Duration waited = Duration.ZERO;
        @Nullable Duration fenced = null;
        while (!b.leadership.held()) {
            a.look();
            b.look();
            assertThat(a.leadership.held() && b.leadership.held()).isFalse();
            if (fenced == null && !a.leadership.held()) {
                fenced = waited;
            }
            pass(Duration.ofMillis(500));
            waited = waited.plusMillis(500);
            b.look();
        }
        assertThat(fenced).isNotNull();
        // Longer than any one call that the operator makes to the API.
        assertThat(waited.minus(fenced)).isGreaterThan(Duration.ofSeconds(5));
        assertThat(a.heard).containsExactly("gained", "lost");
    }

    @Test
    void aLeaderWhoseRenewalHangsIsFencedMeanwhile() {
        a.look();
        lease.slow = Leadership.FENCE;
        a.look();
        // Counted from the start of the call: when it was answered is not when it took effect.
        assertThat(a.leadership.held()).isFalse();
        assertThat(a.heard).containsExactly("gained", "lost");
    }

    @Test
    void afterTheApiWasAwayItLeadsAgain() {
        a.look();
        lease.awayFor = "a";
        for (int i = 0; i < 10; i++) {
            pass(Leadership.RETRY);
            a.look();
        }
        assertThat(a.leadership.held()).isFalse();
        lease.awayFor = "";
        a.look();
        assertThat(a.leadership.held()).isTrue();
        assertThat(a.heard).containsExactly("gained", "lost", "gained");
    }

    @Test
    void aLeaseThatWasGivenBackIsTakenAtTheNextLook() {
        a.look();
        b.look();
        a.leadership.close();
        assertThat(a.leadership.held()).isFalse();
        b.look();
        assertThat(b.leadership.held()).isTrue();
    }

    @Test
    void oneThatNeverLedGivesNothingBack() {
        a.look();
        b.look();
        b.leadership.close();
        a.look();
        assertThat(a.leadership.held()).isTrue();
    }

    @Test
    void itsSuccessorInTheSamePodLeadsAtOnce() {
        a.look();
        Replica again = new Replica("a");
        again.look();
        assertThat(again.leadership.held()).isTrue();
    }

    @Test
    void ofTwoThatTakeAFreeLeaseOneDoes() {
        a.look();
        a.leadership.close();
        lease.before = () -> new Replica("c").look();
        b.look();
        assertThat(b.leadership.held()).isFalse();
        b.look();
        assertThat(b.leadership.held()).isFalse();
    }

    /** Somebody edits the Lease, or deletes it. */
    @Test
    void aLeaderThatSeesAnotherHolderStops() {
        a.look();
        lease.current = new LeaseView("somebody", "77", null, 5);
        a.look();
        assertThat(a.leadership.held()).isFalse();
        assertThat(a.heard).containsExactly("gained", "lost");
    }

    /** Its holder does not know yet, and may be in the middle of an act. */
    @Test
    void aLeaseThatWasDeletedIsMadeAnewAfterItsTime() {
        a.look();
        b.look();
        lease.current = null;
        Duration waited = Duration.ZERO;
        while (lease.current == null) {
            b.look();
            a.look();
            assertThat(a.leadership.held() && b.leadership.held()).isFalse();
            pass(Leadership.RETRY);
            waited = waited.plus(Leadership.RETRY);
            assertThat(waited).isLessThanOrEqualTo(Leadership.LEASE.plus(Leadership.RETRY.multipliedBy(2)));
        }
        assertThat(waited).isGreaterThanOrEqualTo(Leadership.LEASE);
        assertThat(b.leadership.held()).isTrue();
        assertThat(a.heard).containsExactly("gained", "lost");
    }

    /** The operator is being removed, and its Lease went first. */
    @Test
    void aLeaseThatWasDeletedIsNotGivenBack() {
        a.look();
        lease.current = null;
        a.look();
        a.leadership.close();
        assertThat(lease.current).isNull();
    }

    /** As it is where somebody has made it beforehand. */
    @Test
    void aLeaseWithoutAHolderIsTakenAtTheFirstLook() {
        lease.current = new LeaseView("", "5", null, 0);
        lease.version = 5;
        a.look();
        assertThat(a.leadership.held()).isTrue();
    }

    @Test
    void oneThatCannotReadTheLeaseForLongSaysSo() {
        lease.awayFor = "b";
        b.look();
        assertThat(b.leadership.unable()).isEmpty();
        pass(Duration.ofSeconds(31));
        b.look();
        assertThat(b.leadership.unable())
                .hasValueSatisfying(why -> assertThat(why).contains("HTTP 403"));
        lease.awayFor = "";
        b.look();
        assertThat(b.leadership.unable()).isEmpty();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private final class Replica implements Leadership.Listener {
        private final List<String> heard = new ArrayList<>();
        private final String name;
        private final Leadership leadership;

        Replica(String name) {
            this.name = name;
            this.leadership = new Leadership(lease, name, () -> now, this);
        }

        void look() {
            lease.asking = name;
            leadership.look();
        }

        @Override
        public void gained() {
            heard.add("gained");
        }

        @Override
        public void lost() {
            heard.add("lost");
        }
    }

    private final class FakeLease implements LeaseStore {
        private @Nullable LeaseView current;
        private int version;
        private String asking = "";
        private String awayFor = "";
        private Duration slow = Duration.ZERO;
        private @Nullable Runnable before;

        int transitions() {
            return current == null ? 0 : current.transitions();
        }

        @Override
        public Optional<LeaseView> read() {
            answer();
            return Optional.ofNullable(current);
        }

        @Override
        public LeaseView create(String holder) {
            answer();
            return put(holder, 0);
        }

        @Override
        public LeaseView write(LeaseView seen, String holder) {
            answer();
            Runnable other = before;
            before = null;
            if (other != null) {
                other.run();
            }
            if (current == null || !current.version().equals(seen.version())) {
                throw new KubernetesClientException("conflict", 409, null);
            }
            return put(holder, seen.transitions() + (holder.isEmpty() || holder.equals(seen.holder()) ? 0 : 1));
        }

        private LeaseView put(String holder, int transitions) {
            pass(slow);
            LeaseView written = new LeaseView(holder, String.valueOf(++version), null, transitions);
            current = written;
            return written;
        }

        private void answer() {
            if (asking.equals(awayFor)) {
                throw new KubernetesClientException("forbidden", 403, null);
            }
        }
    }
}
