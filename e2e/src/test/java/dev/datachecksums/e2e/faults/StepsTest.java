package dev.datachecksums.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a change, and what it is called. */
class StepsTest {
    private static final SqlSteps SQL = SqlSteps.withEffects(Set.of("pg_reload_conf", "pg_terminate_backend"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; chmod u+w postgresql.auto.conf'",
                "COPY (SELECT 1) TO PROGRAM 'cat >postgresql.auto.conf'",
                "CHECKPOINT",
                "SELECT pg_reload_conf()",
                "select 1, pg_catalog.pg_terminate_backend (7)",
                "ALTER SYSTEM SET work_mem = '1MB'",
                "some statement that is not known"
            })
    void whatIsNotKnownToReadChanges(String sql) {
        assertThat(SQL.changes(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 1",
                " show data_checksums",
                "SET lc_messages = 'C'",
                "BEGIN",
                "SELECT now(), count(*)",
                "COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; [ -f postgresql.auto.conf ] || exit 41'"
            })
    void whatReadsDoesNot(String sql) {
        assertThat(SQL.changes(sql)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /apis/datachecksums.dev/v1alpha1/namespaces/n/datachecksums/x/status, true, datachecksums/status, x, n",
        "POST, /api/v1/namespaces/n/events, true, events, '', n",
        "DELETE, /api/v1/namespaces/n/pods/x-0, true, pods, x-0, n",
        "PATCH, /api/v1/namespaces/n, true, namespaces, n, n",
        "GET, /api/v1/namespaces/n/pods/x-0/log, false, pods/log, x-0, n",
        "POST, /apis/authorization.k8s.io/v1/selfsubjectaccessreviews, false, selfsubjectaccessreviews, '', ''"
    })
    void aRequestIsToldByItsPath(
            String method, String path, boolean changes, String resource, String object, String namespace) {
        assertThat(ApiSteps.changes(method, path)).isEqualTo(changes);
        assertThat(ApiSteps.resource(path)).isEqualTo(resource);
        assertThat(ApiSteps.object(path)).isEqualTo(object);
        assertThat(ApiSteps.namespace(path)).isEqualTo(namespace);
    }

    @Test
    void aHoldAndItsReleaseAreTwoSteps() {
        String pod = "/api/v1/namespaces/n/pods/x-0";
        assertThat(ApiSteps.name(
                        "PATCH",
                        pod,
                        "[{\"op\":\"test\",\"path\":\"/metadata/uid\"},{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\"}]"
                                .getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("PATCH pods add /metadata/finalizers/-");
        assertThat(ApiSteps.name(
                        "PATCH",
                        pod,
                        "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("PATCH pods remove /metadata/finalizers/N");
    }
}
