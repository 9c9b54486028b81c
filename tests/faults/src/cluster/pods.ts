import { at, listAt, textAt } from '@capability-router/tools-stack';
import { pause } from '../load.js';
import type { CommandLine } from './command-line.js';
import { Page } from './guide.js';

const POLL_MS = 1_000;
const TIMEOUT_MS = 300_000;
/** Milliseconds after which services look a name up again, and one more second. */
const NAMES_ASKED_AGAIN_MS = 6_000;
const ofRelease = 'app.kubernetes.io/instance=capability-router';

/** Evaluates a program in a pod of the service, and reads the JSON that it prints. `require` is there. */
export async function evaluated<T>(commands: CommandLine, service: string, script: string): Promise<T> {
  const target = `deploy/capability-router-${service}`;
  const printed = await commands.run(['kubectl', '-n', 'tools', 'exec', target, '--', 'node', '-e', script]);
  return JSON.parse(printed) as T;
}

export const nameOf = (object: unknown): string => textAt(object, 'metadata.name');

/** The pods of a service, or of all that are there of the release, the youngest last. */
export async function podsOf(commands: CommandLine, service?: string): Promise<readonly unknown[]> {
  const of = service === undefined ? '' : `,app.kubernetes.io/component=${service}`;
  const selected = `-n tools get pods -l ${ofRelease}${of} --sort-by=.metadata.creationTimestamp -o json`;
  return listAt(JSON.parse(await commands.kubectl(selected)), 'items');
}

export const isReady = (pod: unknown): boolean =>
  listAt(pod, 'status.conditions').some((one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True');

/** How often containers of pods were started again, which they never should be, and why. */
export async function restarts(commands: CommandLine): Promise<readonly string[]> {
  return (await podsOf(commands)).flatMap((pod) =>
    listAt(pod, 'status.containerStatuses')
      .filter((status) => Number(at(status, 'restartCount')) > 0)
      .map((status) => `${nameOf(pod)}: ${JSON.stringify(at(status, 'lastState'))}`),
  );
}

/** Resolves when it is so. @throws Error with what was waited for */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await pause(POLL_MS);
  }
}

/** Resolves when every Deployment has as many pods as it was told, of what it was told, by the command of the runbook. */
export async function untilRolledOut(commands: CommandLine): Promise<void> {
  const command = new Page('docs/runbooks/rotate-keys.md').command('kubectl -n tools rollout status');
  await commands.run(command, { timeoutMs: TIMEOUT_MS });
}

/** Resolves when callers find every service: a name server may keep for half a minute that one had no pod yet, and they ask again after some seconds. */
export async function untilNamed(commands: CommandLine, services: readonly string[]): Promise<void> {
  const names = JSON.stringify(services.map((service) => `capability-router-${service}`));
  const script = `
    const { lookup } = require('node:dns').promises;
    Promise.all(${names}.map((name) => lookup(name))).then(() => console.log(true), () => console.log(false));`;
  await until('every service has a name', () => evaluated(commands, 'gateway', script));
  await pause(NAMES_ASKED_AGAIN_MS);
}

/** Resolves when no pod is on its way out. */
export function untilNoneEnds(commands: CommandLine): Promise<void> {
  return until('no pod is on its way out', async () =>
    (await podsOf(commands)).every((pod) => at(pod, 'metadata.deletionTimestamp') === undefined),
  );
}
