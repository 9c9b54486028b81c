import type { Network } from './node-space.js';
import { DNS_IMAGE } from './images.js';

/** As usual configurations have it for names of the cluster. There are no other names, and nobody to ask for them. */
const corefile = `cluster.local:53 in-addr.arpa:53 ip6.arpa:53 {
  errors
  ready
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    pods insecure
    ttl 30
  }
  cache 30
}
.:53 {
  template ANY ANY {
    rcode NXDOMAIN
  }
}
`;

/** CoreDNS, as clusters have it. */
export function namesOf(network: Network): object[] {
  const metadata = { name: 'coredns', namespace: 'kube-system' };
  const labels = { 'k8s-app': 'kube-dns' };
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'coredns' },
      rules: [
        { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'coredns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'coredns' },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: corefile } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'coredns',
            dnsPolicy: 'Default',
            containers: [
              {
                name: 'coredns',
                image: DNS_IMAGE,
                imagePullPolicy: 'Never',
                args: ['-conf', '/etc/coredns/Corefile'],
                readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
                volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
              },
            ],
            volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: 'kube-system', labels },
      spec: { selector: labels, clusterIP: network.services.dns, ports },
    },
  ];
}
