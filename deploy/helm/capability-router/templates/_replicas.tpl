{{/*
The number of replicas beside an autoscaler: as many as there are. Were it left out, Kubernetes would fall back to one where Helm has set the number
before. It is left out once the autoscaler has set it and objects are applied by the server, which then keeps it; nothing is there when the chart is rendered without a cluster.
Takes a dict of root and component.
*/}}
{{- define "capability-router.replicas" -}}
{{- $name := printf "%s-%s" (include "capability-router.fullname" .root) .component -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace $name -}}
{{- $scaled := false -}}
{{- $applied := false -}}
{{- range ($live.metadata).managedFields -}}
{{- if eq (.subresource | default "") "scale" }}{{ $scaled = true }}{{ end -}}
{{- if eq .operation "Apply" }}{{ $applied = true }}{{ end -}}
{{- end -}}
{{- if and $live (not (and $scaled $applied)) -}}
{{- $live.spec.replicas -}}
{{- end -}}
{{- end -}}
