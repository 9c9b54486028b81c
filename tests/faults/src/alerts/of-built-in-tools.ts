import { expect } from '@jest/globals';
import { Load, type LoadAccount } from '../load.js';
import { openVictim } from './billing-session.js';
import type { Cause } from './cause.js';

/** One process, and one call that may wait for it. */
const ONE_PROCESS = { BUILTIN_MAX_PROCESSES: '1', BUILTIN_MAX_QUEUE: '1' };
/** Megabytes of a process in which this tool's data has no room. */
const TOO_SMALL = { BUILTIN_MAX_HEAP_MB: '32' };
const LARGE_TOOL = 'atlas.city.list.v1';
const SMALL_TOOL = 'formula.expression.evaluate.v1';
const CLIENTS = 8;
const CLIENT_PAUSE_MS = 50;

/** Both replicas of execution have the one setting and the other, so that one start shows both alerts. */
const processesAreFewAndSmall: Cause = {
  what: 'processes of built-in tools are too few for the calls, and too small for what a tool loads',
  alerts: ['BuiltinToolsAreShort', 'BuiltinToolsDoNotStart'],
  runbook: 'built-in-tools',
  async begin(stand) {
    const accounts = await Promise.all([openVictim(stand), openVictim(stand)]);
    const standing = { ...ONE_PROCESS, ...TOO_SMALL };
    await stand.arrange({ 'execution 0': standing, 'execution 1': standing });
    const load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, (origin, account, turn) =>
      call(origin, account, turn % CLIENTS === 0 ? LARGE_TOOL : SMALL_TOOL),
    );
    load.start(CLIENTS);
    return {
      async look() {
        const replicas = stand.services.replicas.filter(({ name }) => name === 'execution');
        const said = await Promise.all(replicas.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()));
        for (const why of ['busy', 'not_loaded']) {
          expect(said.join('')).toMatch(new RegExp(`^builtin_not_run_total\\{why="${why}"\\} [1-9]`, 'm'));
        }
      },
      async mend() {
        // The callers stay.
        await stand.arrange();
        await load.more(CLIENTS, (status) => status === 200);
        await load.stop();
      },
    };
  },
};

/** Resolves to the status of the answer; undefined where there was none. */
async function call(origin: string, { key }: LoadAccount, toolId: string): Promise<number | undefined> {
  const parameters = toolId === LARGE_TOOL ? { country_code: 'DE' } : { expression: '6 * 7' };
  try {
    const answer = await fetch(`${origin}/api/v1/tools/execute?tool_id=${toolId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ parameters }),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

export const causesOfBuiltInTools = [processesAreFewAndSmall];
