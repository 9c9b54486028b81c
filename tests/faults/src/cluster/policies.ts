import type { OneNode } from './one-node.js';
import { programOf } from './programs.js';

const QUEUE = '100';

/**
 * Network policies are in force from now on, by the agent of the Kubernetes project: it judges each packet that begins a connection. It takes itself for
 * a pod. Its own rules take a kernel in which nftables has queues, and so the same ones are made by iptables: nothing of root's processes on the node, such as
 * probes, and all that begins at a pod or leads to one.
 */
export async function enforcePolicies({ space, identities }: OneNode): Promise<void> {
  const folder = '/run/secrets/kubernetes.io/serviceaccount';
  const files = `cp '${identities.authority}' ca.crt; cut -d, -f1 '${identities.tokens}' >token`;
  await space.inside('sh', ['-euc', `mkdir -p ${folder}; cd ${folder}; ${files}`]);
  const server = [`KUBERNETES_SERVICE_HOST=${space.network.node}`, 'KUBERNETES_SERVICE_PORT=6443'];
  const program = programOf('kube-network-policies');
  space.start('kube-network-policies', 'env', [
    ...server,
    program,
    '--hostname-override=node',
    '--disable-nri',
    `--nfqueue-id=${QUEUE}`,
  ]);
  const { pods } = space.network;
  for (const rule of [
    '-m owner --uid-owner 0 -j ACCEPT',
    '-m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT',
    `-s ${pods} -j NFQUEUE --queue-num ${QUEUE}`,
    `-d ${pods} -j NFQUEUE --queue-num ${QUEUE}`,
  ])
    await space.inside('iptables', ['-t', 'mangle', '-A', 'POSTROUTING', ...rule.split(' ')]);
}
