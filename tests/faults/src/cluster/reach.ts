import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { reachOf, renderChart, type Reach } from '@capability-router/tools-stack';
import type { CommandLine } from './command-line.js';
import type { Network } from './node-space.js';
import { evaluated } from './pods.js';

const components = ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity'];
const HTTPS_PORT = 443;
const POSTGRES_PORT = 5432;
/** A dropped packet is answered by nobody. */
const CONNECT_MS = 3_000;
const PREFIX = 'capability-router-';

/** By component, what its pods can connect to in the cluster, and what the policies of the chart say that they may. */
export async function reaches(commands: CommandLine, network: Network): Promise<[unknown, unknown]> {
  const servers = await Promise.all([listening(network.host), listening(network.internet)]);
  try {
    const real: Record<string, Reach & { private: boolean }> = {};
    for (const component of components) real[component] = await reachOfPod(commands, network, component);
    const told = reachOf(renderChart({ release: PREFIX.slice(0, -1), values: 'minimal.yaml' }));
    const expected = components.map((component) => [component, { ...told[component], private: false }]);
    return [real, Object.fromEntries(expected)];
  } finally {
    for (const server of servers) server.close();
  }
}

async function listening(host: string): Promise<Server> {
  const server = createServer((socket) => socket.end());
  server.listen(HTTPS_PORT, host);
  await once(server, 'listening');
  return server;
}

async function reachOfPod(
  commands: CommandLine,
  { host, internet }: Network,
  component: string,
): Promise<Reach & { private: boolean }> {
  const others = components.filter((one) => one !== component);
  const targets: [string, string, number][] = [
    ...others.map((one): [string, string, number] => [one, `${PREFIX}${one}`, 8080]),
    ['stores', host, POSTGRES_PORT],
    ['internet', internet, HTTPS_PORT],
    ['private', host, HTTPS_PORT],
  ];
  const script = `
    const { connect } = require('node:net');
    const { lookup } = require('node:dns').promises;
    const reached = (host, port) => new Promise((resolve) => {
      const socket = connect({ host, port, timeout: ${CONNECT_MS} });
      const end = (is) => () => { socket.destroy(); resolve(is); };
      socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
    });
    Promise.all(${JSON.stringify(targets)}.map(async ([name, host, port]) => {
      const { address } = await lookup(host);
      return [name, await reached(address, port)];
    })).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));`;
  const found = await evaluated<Record<string, boolean>>(commands, component, script);
  return {
    services: others.filter((one) => found[one] === true).toSorted(),
    stores: found['stores'] === true,
    // Without names nothing would have been found.
    names: true,
    internet: found['internet'] === true,
    private: found['private'] === true,
  };
}
