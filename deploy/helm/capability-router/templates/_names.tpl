{{/* The name that every object of a release begins with: at most 40 characters, since the longest ending has 19. */}}
{{- define "capability-router.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 22 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}

{{/* What finds the pods of a component of this release, and no others. Takes a dict of root and component. */}}
{{- define "capability-router.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The labels of every object. */}}
{{- define "capability-router.labels" -}}
{{ include "capability-router.selector" . }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The name of a Secret that is there already. Takes a dict of root and key. */}}
{{- define "capability-router.secret" -}}
{{- default (printf "%s-%s" (include "capability-router.fullname" .root) .key) (index .root.Values.secrets .key) -}}
{{- end -}}

{{- define "capability-router.serviceAccount" -}}
{{- $own := index .root.Values.services .component "serviceAccount" -}}
{{- if $own.name -}}
{{- $own.name -}}
{{- else if .root.Values.serviceAccounts.create -}}
{{- printf "%s-%s" (include "capability-router.fullname" .root) .component -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{/* The image of one target of docker/Dockerfile. Takes a dict of root and target. */}}
{{- define "capability-router.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s-%s" $image.repository .target -}}
{{- with index $image.digests .target -}}
{{- printf "%s@%s" $name . -}}
{{- else -}}
{{- printf "%s:%s" $name (default .root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "capability-router.components" -}}
["gateway", "registry", "execution", "capability-routing", "billing", "identity"]
{{- end -}}
