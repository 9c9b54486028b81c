import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Demo } from './demo.js';
import { pause, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

/** Milliseconds. */
const SETTLE_TIMEOUT_MS = 60_000;
const CLIENTS = 8;
/** Calls that were answered when the process is killed, with others under way. */
const ANSWERED_BEFORE_KILL = 40;
const LOAD_TIMEOUT_MS = 60_000;
const PRICE_CREDITS = 0.5;

const standalone = new StandaloneProcess();

/** A module that each thread loads first: it tells of each collection of garbage that the thread asks for. */
const tellsCollections = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  import { writeSync } from 'node:fs';
  const { gc } = globalThis;
  globalThis.gc = (options) => {
    writeSync(1, 'collected in ' + (isMainThread ? 'main' : 'another') + ': ' + options.flavor + '\\n');
    return gc(options);
  };
`)}`;

async function call(demo: Demo): Promise<string | undefined> {
  const answer = await fetch(`${demo.base_url}/tools/execute?tool_id=formula.expression.evaluate.v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ parameters: { expression: '6 * 7' } }),
  });
  const body = (await answer.json()) as { success?: boolean; execution_id?: string };
  return body.success === true ? body.execution_id : undefined;
}

describe('standalone', () => {
  afterAll(() => standalone.remove());

  it(
    'is killed -9 under load and comes back with every answered call charged once, the same key and nothing held',
    async () => {
      const demo = await standalone.start();
      const answered: string[] = [];
      const state: { loading: boolean } = { loading: true };
      const isLoading = (): boolean => state.loading;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (isLoading()) {
          const executionId = await call(demo).catch(() => undefined);
          if (executionId !== undefined) answered.push(executionId);
          await pause(20);
        }
      });
      // The first expression waits for its evaluator to start.
      const loadDeadline = Date.now() + LOAD_TIMEOUT_MS;
      while (answered.length < ANSWERED_BEFORE_KILL && Date.now() < loadDeadline) await pause(20);
      const killed = standalone.signal('SIGKILL');
      state.loading = false;
      await Promise.all(clients);
      await killed;
      expect(answered.length).toBeGreaterThanOrEqual(ANSWERED_BEFORE_KILL);

      const again = await standalone.start();
      expect(again.api_key).toBe(demo.api_key);
      expect(existsSync(join(standalone.dataDir, 'keys.json'))).toBe(true);
      const deadline = Date.now() + SETTLE_TIMEOUT_MS;
      let credits = await read(again, '/auth/credits');
      // A call that was cut off keeps its hold until its owner's lease has lapsed.
      while (credits['held_credits'] !== 0 && Date.now() < deadline) {
        await pause(250);
        credits = await read(again, '/auth/credits');
      }
      expect(credits['held_credits']).toBe(0);
      const ledger = await read(again, '/auth/credits/ledger?page_size=500&direction=consume');
      const charges = ledger['items'] as { execution_id: string; amount_credits: number }[];
      const charged = charges.map((entry) => entry.execution_id);
      expect(new Set(charged).size).toBe(charged.length);
      expect(answered.filter((id) => !charged.includes(id))).toEqual([]);
      expect(credits['remaining_credits']).toBe(1_000 - charges.length * PRICE_CREDITS);
    },
    START_TIMEOUT_MS * 2 + LOAD_TIMEOUT_MS + SETTLE_TIMEOUT_MS + 10_000,
  );

  it(
    'gives memory back in the thread of the search index and then, before it is ready, in the main one',
    async () => {
      await standalone.signal('SIGTERM');
      const before = standalone.log.length;
      await standalone.start({ NODE_OPTIONS: `--expose-gc --import ${tellsCollections}` });
      const told = [...standalone.log.slice(before).matchAll(/^collected in (\w+): (\S+)$/gm)];
      expect(told.map(([, thread, how]) => [thread, how])).toEqual([
        ['another', 'last-resort'],
        ['main', 'last-resort'],
      ]);
    },
    START_TIMEOUT_MS + 10_000,
  );
});
