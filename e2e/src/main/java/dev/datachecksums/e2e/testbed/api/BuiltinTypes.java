package dev.datachecksums.e2e.testbed.api;

import static dev.datachecksums.e2e.testbed.api.ResourceType.builtin;

import java.util.List;

/** The resources that are served without a CustomResourceDefinition. */
final class BuiltinTypes {
    private static final String[] EVENT_FIELDS = {
        "involvedObject.kind",
        "involvedObject.namespace",
        "involvedObject.name",
        "involvedObject.uid",
        "involvedObject.apiVersion",
        "involvedObject.fieldPath",
        "reason",
        "reportingComponent",
        "source",
        "type"
    };

    private BuiltinTypes() {}

    static List<ResourceType> all() {
        return List.of(
                builtin("v1", "Namespace", "namespaces")
                        .named("ns")
                        .clusterWide()
                        .with("status", "finalize")
                        .selectableBy("status.phase"),
                builtin("v1", "Node", "nodes").named("no").clusterWide().with("status"),
                builtin("v1", "Pod", "pods")
                        .named("po")
                        .inAll()
                        .with("status", "log")
                        .selectableBy(
                                "spec.nodeName",
                                "spec.restartPolicy",
                                "spec.schedulerName",
                                "spec.serviceAccountName",
                                "status.phase",
                                "status.podIP"),
                builtin("v1", "Service", "services").named("svc").inAll().with("status"),
                builtin("v1", "Secret", "secrets").selectableBy("type"),
                builtin("v1", "ConfigMap", "configmaps").named("cm"),
                builtin("v1", "ServiceAccount", "serviceaccounts").named("sa"),
                builtin("v1", "Event", "events").named("ev").selectableBy(EVENT_FIELDS),
                builtin("v1", "PersistentVolumeClaim", "persistentvolumeclaims")
                        .named("pvc")
                        .with("status"),
                builtin("v1", "PersistentVolume", "persistentvolumes")
                        .named("pv")
                        .clusterWide()
                        .with("status"),
                builtin("v1", "ResourceQuota", "resourcequotas").named("quota").with("status"),
                builtin("v1", "LimitRange", "limitranges").named("limits"),
                builtin("apps/v1", "StatefulSet", "statefulsets")
                        .named("sts")
                        .inAll()
                        .with("status", "scale"),
                builtin("apps/v1", "ControllerRevision", "controllerrevisions"),
                builtin("apps/v1", "Deployment", "deployments")
                        .named("deploy")
                        .inAll()
                        .with("status", "scale"),
                builtin("apps/v1", "ReplicaSet", "replicasets")
                        .named("rs")
                        .inAll()
                        .with("status", "scale"),
                builtin("batch/v1", "Job", "jobs").inAll().with("status").selectableBy("status.successful"),
                builtin("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets")
                        .named("pdb")
                        .with("status"),
                builtin("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers")
                        .named("hpa")
                        .inAll()
                        .with("status"),
                builtin("coordination.k8s.io/v1", "Lease", "leases"),
                builtin("events.k8s.io/v1", "Event", "events").named("ev").selectableBy(EVENT_FIELDS),
                builtin("rbac.authorization.k8s.io/v1", "Role", "roles"),
                builtin("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
                builtin("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles")
                        .clusterWide(),
                builtin("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings")
                        .clusterWide(),
                builtin("storage.k8s.io/v1", "StorageClass", "storageclasses")
                        .named("sc")
                        .clusterWide(),
                builtin("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions")
                        .named("crd", "crds")
                        .clusterWide()
                        .with("status"));
    }
}
