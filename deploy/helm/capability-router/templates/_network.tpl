{{/* Who calls whom: for each service those that it lets in, as its controllers say with @AllowCallers. */}}
{{- define "capability-router.callers" -}}
gateway: []
registry: [gateway, billing]
execution: [gateway, registry, capability-routing, billing]
capability-routing: [gateway]
billing: [gateway, registry, execution, capability-routing, identity]
identity: [gateway, registry]
{{- end -}}

{{/* Names: the DNS of the cluster, NodeLocal DNSCache by its pods and by its address. */}}
{{- define "capability-router.egress-dns" -}}
- to:
    - namespaceSelector: {}
      podSelector:
        matchExpressions:
          - { key: k8s-app, operator: In, values: [kube-dns, node-local-dns, coredns] }
    {{- range .Values.network.dns.addresses }}
    - ipBlock: { cidr: {{ . }} }
    {{- end }}
  ports:
    {{- range .Values.network.dns.ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/* PostgreSQL, Kafka and Redis. */}}
{{- define "capability-router.egress-stores" -}}
- ports:
    {{- range .Values.network.stores.ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .Values.network.stores.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Addresses of the internet: no private range, none of a node or of a cloud's metadata service. */}}
{{- define "capability-router.egress-internet" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/4]
    - ipBlock:
        cidr: '::/0'
        except: ['::1/128', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8']
{{- end -}}
