{{/* The parts of a pod that do not depend on what it runs: no token, no privileges, where images come from. */}}
{{- define "capability-router.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .Values.pods.userId }}
  runAsGroup: {{ .Values.pods.userId }}
  fsGroup: {{ .Values.pods.userId }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Takes a dict of root and target. */}}
{{- define "capability-router.container" -}}
image: {{ include "capability-router.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "capability-router.mounts" -}}
- { name: tmp, mountPath: /tmp }
# CAs, certificates and passwords of Kafka, PostgreSQL and Redis, where there are any: read again with each connection.
- { name: connections, mountPath: /etc/capability-router/connections, readOnly: true }
{{- end -}}

{{- define "capability-router.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .tmp }} }
- name: connections
  secret:
    secretName: {{ include "capability-router.secret" (dict "root" .root "key" "connections") }}
    optional: true
{{- end -}}

{{- define "capability-router.probe" -}}
httpGet: { path: {{ . }}, port: http }
{{- end -}}
