import type { Identities } from './certificates.js';
import type { NodeSpace } from './node-space.js';
import { programOf } from './programs.js';

/** Starts etcd, the API server, and those that look after its objects, with what they ship with where nothing is said here. */
export function startControlPlane(space: NodeSpace, identities: Identities): void {
  const { network, folder } = space;
  const { authority, server, serviceAccounts, tokens, kubeconfig } = identities;
  const etcd = 'http://127.0.0.1:2379';
  start(space, 'etcd', {
    'data-dir': `${folder}/etcd`,
    'listen-client-urls': etcd,
    'advertise-client-urls': etcd,
    // Nothing of this cluster survives.
    'unsafe-no-fsync': true,
  });
  start(space, 'kube-apiserver', {
    'advertise-address': network.node,
    'allow-privileged': true,
    'authorization-mode': 'RBAC',
    'client-ca-file': authority,
    'etcd-servers': etcd,
    // Nobody knows the name of the node.
    'kubelet-preferred-address-types': 'InternalIP',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': serviceAccounts,
    'service-account-signing-key-file': serviceAccounts,
    'service-cluster-ip-range': network.services.range,
    'tls-cert-file': server.cert,
    'tls-private-key-file': server.key,
    'token-auth-file': tokens,
  });
  start(space, 'kube-controller-manager', {
    'allocate-node-cidrs': true,
    'cluster-cidr': network.pods,
    'flex-volume-plugin-dir': `${folder}/flex-volumes`,
    kubeconfig,
    'leader-elect': false,
    'node-cidr-mask-size': 24,
    'root-ca-file': authority,
    'service-account-private-key-file': serviceAccounts,
    'service-cluster-ip-range': network.services.range,
  });
  start(space, 'kube-scheduler', { kubeconfig, 'leader-elect': false });
}

function start(space: NodeSpace, name: string, settings: Readonly<Record<string, string | number | boolean>>): void {
  const args = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  space.start(name, programOf(name), args);
}
