import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeSpace } from './node-space.js';
import { programOf } from './programs.js';

const SOCKET = '/run/containerd/containerd.sock';
/** The folder of Debian's package containernetworking-plugins. */
const NETWORK_PLUGINS = '/usr/lib/cni';
export const PAUSE_IMAGE = 'pause:1';
/** The arguments of `ctr` for images that the kubelet finds. */
export const ctr = ['--address', SOCKET, '--namespace', 'k8s.io'];

/** Starts containerd, the kubelet and kube-proxy. The node is ready some seconds later. */
export function startWorker(space: NodeSpace, kubeconfig: string): void {
  const { folder, network } = space;
  const networks = join(folder, 'networks');
  mkdirSync(networks, { recursive: true });
  const file = (name: string, content: string | object): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  // Pods have a cable to the node each, and stores of the host see the node.
  file('networks/10-pods.conflist', {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'ptp',
        ipMasq: true,
        ipam: {
          type: 'host-local',
          dataDir: '/run/addresses',
          ranges: [[{ subnet: network.pods }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  });
  space.start('containerd', programOf('containerd'), [
    '--config',
    file('containerd.toml', containerd(folder, networks)),
  ]);
  const kubelet = file('kubelet.json', {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // Nobody but the API server reaches the kubelet in its namespace.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: space.cgroup,
    clusterDNS: [network.services.dns],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: `unix://${SOCKET}`,
    // The disk is shared with whatever else the machine has.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    failCgroupV1: false,
    failSwapOn: false,
    imageGCHighThresholdPercent: 100,
    podLogsDir: join(folder, 'pod-logs'),
    protectKernelDefaults: true,
    resolvConf: file('resolv.conf', `nameserver ${network.services.dns}\n`),
    volumePluginDir: join(folder, 'flex-volumes'),
  });
  space.start('kubelet', programOf('kubelet'), [
    `--config=${kubelet}`,
    `--kubeconfig=${kubeconfig}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'kubelet-certificates')}`,
    `--node-ip=${network.node}`,
    '--hostname-override=node',
  ]);
  const proxy = file('kube-proxy.json', {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig },
    clusterCIDR: network.pods,
    conntrack: { maxPerCore: 0, min: 0 },
    hostnameOverride: 'node',
    mode: 'iptables',
  });
  space.start('kube-proxy', programOf('kube-proxy'), [`--config=${proxy}`]);
}

const containerd = (folder: string, networks: string): string => `
version = 2
root = "${folder}/containerd"
state = "/run/containerd"
[grpc]
  address = "${SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  # A machine may forbid what a pod without limits asks for.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${NETWORK_PLUGINS}"
    conf_dir = "${networks}"
`;
