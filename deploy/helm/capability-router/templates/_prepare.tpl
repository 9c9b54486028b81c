{{/* The pod of the prepare Job. It names nothing that the release itself makes: as a hook it runs before there is any of it. */}}
{{- define "capability-router.prepare" -}}
backoffLimit: {{ .Values.prepare.backoffLimit }}
activeDeadlineSeconds: {{ .Values.prepare.deadlineSeconds }}
template:
  metadata:
    labels:
      {{- include "capability-router.labels" (dict "root" . "component" "prepare") | nindent 6 }}
  spec:
    restartPolicy: Never
    {{- include "capability-router.pod" . | nindent 4 }}
    containers:
      - name: prepare
        {{- include "capability-router.container" (dict "root" . "target" "operator") | nindent 8 }}
        args: [prepare]
        env:
          {{- range $name, $value := include "capability-router.settings" . | fromYaml }}
          - name: {{ $name }}
            value: {{ $value | quote }}
          {{- end }}
          - name: TOPIC_REPLICATION_FACTOR
            value: {{ .Values.kafka.topicReplicationFactor | quote }}
          {{- $root := . }}
          {{- range $component := include "capability-router.components" . | fromJsonArray }}
          {{- if ne $component "gateway" }}
          {{- $prefix := $component | upper | replace "-" "_" }}
          {{- include "capability-router.fromSecret" (dict "root" $root "secret" $component "name" (printf "%s_DATABASE_URL" $prefix)) | nindent 10 }}
          {{- include "capability-router.fromSecret" (dict "root" $root "secret" "migrations" "name" (printf "%s_DATABASE_OWNER_URL" $prefix)) | nindent 10 }}
          {{- end }}
          {{- end }}
        resources:
          {{- toYaml .Values.prepare.resources | nindent 10 }}
        volumeMounts:
          {{- include "capability-router.mounts" . | nindent 10 }}
    volumes:
      {{- include "capability-router.volumes" (dict "root" . "tmp" "64Mi") | nindent 6 }}
{{- end -}}
