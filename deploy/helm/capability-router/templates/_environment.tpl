{{/* The settings that every service and the prepare Job have in common, as NAME: value. */}}
{{- define "capability-router.settings" -}}
{{- $name := include "capability-router.fullname" . -}}
HOST: 0.0.0.0
PORT: '8080'
METRICS_PORT: '9090'
LOG_LEVEL: {{ .Values.logLevel }}
PUBLIC_URL: {{ required "publicUrl is required: the origin under which callers reach the gateway, e.g. https://tools.example.com" .Values.publicUrl | quote }}
KAFKA_BROKERS: {{ required "kafka.brokers is required: the bootstrap brokers, e.g. kafka-0:9092,kafka-1:9092" .Values.kafka.brokers | quote }}
{{- /* Callers may be told for 30 s of a pod that has left a headless Service, and look every 5 s. */}}
SHUTDOWN_DRAIN_MS: '40000'
SHUTDOWN_TIMEOUT_MS: '70000'
{{- range $component := include "capability-router.components" . | fromJsonArray }}
{{ $component | upper | replace "-" "_" }}_URL: http://{{ $name }}-{{ $component }}:8080
{{- end }}
{{- range $key, $value := .Values.config }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* One variable from a Secret. Takes a dict of root, secret, name and optional. */}}
{{- define "capability-router.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ include "capability-router.secret" (dict "root" .root "key" .secret) }}
      key: {{ .name }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* What a service has beside the common settings. Takes a dict of root and component. */}}
{{- define "capability-router.environment" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $own := list "INTERNAL_SIGNING_KEY" -}}
{{- $optional := list -}}
{{- $plain := dict -}}
{{- if ne $component "gateway" -}}
{{- $own = append $own (printf "%s_DATABASE_URL" ($component | upper | replace "-" "_")) -}}
{{- end -}}
{{- if eq $component "identity" -}}
{{- $optional = list "MAIL_URL" "MAIL_FROM" "IDENTITY_PEPPER" -}}
{{- end -}}
{{- if eq $component "execution" -}}
{{- $own = concat $own (list "RESULT_LINK_KEY" "CREDENTIAL_KEYS") -}}
{{- end -}}
{{- /* A tool may run for 100 s; what was dispatched is waited for. */ -}}
{{- if eq $component "execution" -}}
{{- $_ := set $plain "SHUTDOWN_TIMEOUT_MS" "160000" -}}
{{- end -}}
{{- if eq $component "gateway" -}}
{{- /* It is found by an address, not by a name that is kept. */ -}}
{{- $_ := set $plain "SHUTDOWN_DRAIN_MS" "5000" -}}
{{- $_ := set $plain "SHUTDOWN_TIMEOUT_MS" "125000" -}}
{{- end -}}
{{- if and (eq $component "gateway") $root.Values.trustedProxies -}}
{{- $_ := set $plain "TRUSTED_PROXIES" $root.Values.trustedProxies -}}
{{- end -}}
{{- if eq $component "execution" -}}
{{- $results := $root.Values.results -}}
{{- if eq $results.store "s3" -}}
{{- $_ := set $plain "RESULT_STORE" "s3" -}}
{{- $_ := set $plain "RESULT_STORE_S3_BUCKET" (required "results.s3.bucket is required with results.store s3: the bucket of full results" $results.s3.bucket) -}}
{{- $_ := set $plain "RESULT_STORE_S3_REGION" $results.s3.region -}}
{{- if $results.s3.endpoint -}}{{- $_ := set $plain "RESULT_STORE_S3_ENDPOINT" $results.s3.endpoint -}}{{- end -}}
{{- if $results.s3.pathStyle -}}{{- $_ := set $plain "RESULT_STORE_S3_PATH_STYLE" "true" -}}{{- end -}}
{{- else -}}
{{- $_ := set $plain "RESULT_STORE_DIR" "/data/results" -}}
{{- end -}}
{{- end -}}
{{- $plain = merge (deepCopy (index $root.Values.services $component "config")) $plain -}}
{{- range $name := $own }}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" $component "name" $name) }}
{{- end }}
{{- range $name := $optional }}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" $component "name" $name "optional" true) }}
{{- end }}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" "shared" "name" "INTERNAL_JWKS") }}
{{- /* Missing where config names a Cluster or Sentinels. */}}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" "shared" "name" "REDIS_URL" "optional" true) }}
{{- if has $component (list "execution" "registry") }}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" "shared" "name" "EGRESS_PROXY_URL" "optional" true) }}
{{- end }}
{{- if and (eq $component "execution") (eq $root.Values.results.store "s3") }}
{{- range $name := list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
{{ include "capability-router.fromSecret" (dict "root" $root "secret" "results" "name" $name "optional" true) }}
{{- end }}
{{- end }}
{{- range $name, $value := $plain }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
