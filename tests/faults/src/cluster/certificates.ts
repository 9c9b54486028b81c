import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from './node-space.js';
import { output } from './programs.js';

/** Paths of PEM files, and what kubectl and the parts of the cluster know the API server by. */
export interface Identities {
  readonly authority: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly serviceAccounts: string;
  readonly tokens: string;
  readonly kubeconfig: string;
}

/** Made by the machine's OpenSSL. One administrator speaks for all parts of the cluster: who of them may do what is not what is tried. */
export async function identitiesOf(folder: string, network: Network, token: string): Promise<Identities> {
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): Promise<unknown> => output('openssl', args);
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  const [authority, key] = [file('ca.crt'), file('ca.key')];
  const days = ['-days', '2'];
  await openssl('req', '-x509', ...newKey, '-keyout', key, '-out', authority, '-subj', '/CN=authority', ...days);
  const server = { cert: file('server.crt'), key: file('server.key') };
  const names = [network.node, network.services.kubernetes, '127.0.0.1'].map((address) => `IP:${address}`);
  const request = file('server.csr');
  const subject = ['-subj', '/CN=kube-apiserver', '-addext', `subjectAltName=${names.join(',')}`];
  await openssl('req', ...newKey, '-keyout', server.key, '-out', request, ...subject);
  const signer = ['-CA', authority, '-CAkey', key, '-CAcreateserial', '-copy_extensions', 'copy', ...days];
  await openssl('x509', '-req', '-in', request, ...signer, '-out', server.cert);
  const serviceAccounts = file('service-accounts.key');
  await openssl('genrsa', '-out', serviceAccounts, '2048');
  const tokens = file('tokens.csv');
  writeFileSync(tokens, `${token},administrator,administrator,"system:masters"\n`, { mode: 0o600 });
  const kubeconfig = file('kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'here', cluster: { server: `https://${network.node}:6443`, 'certificate-authority': authority } },
    ],
    users: [{ name: 'administrator', user: { token } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'administrator' } }],
    'current-context': 'here',
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return { authority, server, serviceAccounts, tokens, kubeconfig };
}
