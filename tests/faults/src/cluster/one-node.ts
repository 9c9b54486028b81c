import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../load.js';
import { identitiesOf, type Identities } from './certificates.js';
import { CommandLine } from './command-line.js';
import { startControlPlane } from './control-plane.js';
import { namesOf } from './names.js';
import { NodeSpace } from './node-space.js';
import { startWorker } from './worker.js';

const ANSWER_TIMEOUT_MS = 120_000;
const POLL_MS = 250;

/** A Kubernetes of one node on this machine: the programs of a real one, in namespaces that end with it. */
export class OneNode {
  private constructor(
    readonly space: NodeSpace,
    readonly commands: CommandLine,
    readonly identities: Identities,
  ) {}

  /** `folder` is made, and removed by `close`. Its API answers; `ready` says when pods run. */
  static async start(folder: string): Promise<OneNode> {
    mkdirSync(join(folder, 'home'), { recursive: true });
    const space = await NodeSpace.open(folder);
    try {
      const identities = await identitiesOf(folder, space.network, randomBytes(24).toString('hex'));
      startControlPlane(space, identities);
      startWorker(space, identities.kubeconfig);
      const node = new OneNode(space, new CommandLine(identities.kubeconfig, join(folder, 'home')), identities);
      await node.until('kube-apiserver', () => node.commands.kubectl('get --raw /readyz'));
      await node.until('kubelet', () => node.commands.kubectl('wait --for=condition=Ready node/node --timeout=5s'));
      return node;
    } catch (error) {
      await space.close();
      throw error;
    }
  }

  /** Starts CoreDNS, whose image is there. Resolves when names are answered. */
  async serveNames(): Promise<void> {
    const items = namesOf(this.space.network);
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    await this.commands.kubectl('apply -f -', { input: list });
    const waited = '-n kube-system rollout status deployment/coredns --timeout=120s';
    await this.commands.kubectl(waited, { timeoutMs: ANSWER_TIMEOUT_MS });
  }

  async close(): Promise<void> {
    await this.space.close();
    rmSync(this.space.folder, { recursive: true, force: true });
  }

  /** @throws Error with the end of the program's log */
  private async until(program: string, answers: () => Promise<unknown>): Promise<void> {
    const deadline = performance.now() + ANSWER_TIMEOUT_MS;
    for (;;) {
      try {
        await answers();
        return;
      } catch (error) {
        if (performance.now() > deadline)
          throw new Error(`${program} does not answer:\n${this.space.logOf(program)}`, { cause: error });
      }
      await pause(POLL_MS);
    }
  }
}
