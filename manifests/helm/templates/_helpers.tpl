{{- define "operator.labels" -}}
app.kubernetes.io/name: datachecksums-operator
app.kubernetes.io/part-of: datachecksums
{{- end }}
{{/* Where the operator's rights are: in the whole cluster, or in its own namespace. */}}
{{- define "operator.roleKind" -}}
{{ if eq .Values.scope "Cluster" }}ClusterRole{{ else }}Role{{ end }}
{{- end }}
