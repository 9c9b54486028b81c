import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { builtinTools } from '@capability-router/builtin-tools';
import { newAccountId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startExecution, type Answer, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

jest.setTimeout(180_000);

/** Micro-credits. */
const BALANCE = 1_000_000_000n;
/** Milliseconds, with more than a call has to wait here. */
const TIMEOUT_MS = 90_000;

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(
    builtinTools.map((manifest) => toolContract({ ...manifest, timeoutMs: TIMEOUT_MS })),
    undefined,
    { BUILTIN_MAX_PROCESSES: '3' },
  );
});
afterAll(() => execution.stop());
beforeEach(() => {
  execution.billing.available = BALANCE;
});

const endless: JsonObject = { json: [`${'a'.repeat(40)}!`], expression: "$[?search(@, '^(a|aa)+$')]" };
const modest: JsonObject = { json: ['a'], expression: '$[0]' };

/** Milliseconds without a turn of the event loop that count as a stall. */
const STALL_MS = 200;
const NS_PER_MS = 1_000_000;

/** Does the work, and counts how often the event loop of this process stood still meanwhile. */
async function stallsDuring(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  let stalls = 0;
  const look = (): void => {
    if (delays.max > STALL_MS * NS_PER_MS) stalls += 1;
    delays.reset();
  };
  delays.enable();
  const timer = setInterval(look, STALL_MS);
  await work();
  await sleep(STALL_MS);
  clearInterval(timer);
  look();
  delays.disable();
  return stalls;
}

describe('an account whose calls run to their limits', () => {
  it('keeps no other account waiting for more than its turn', async () => {
    const toolId = 'toolbox.json.select.v1';
    const warm = await execution.call({ tool_id: toolId, parameters: modest });
    expect(warm.body).toMatchObject({ success: true });
    let ended = 0;
    const hostile = Array.from({ length: 5 }, async () => {
      const answer = await execution.call({ tool_id: toolId, parameters: endless });
      ended += 1;
      return answer;
    });
    const other = { ...execution.account, accountId: newAccountId(systemClock.nowMs()) };
    for (let call = 0; call < 10; call += 1) {
      const { body } = await execution.call({ tool_id: toolId, parameters: modest }, { account: other });
      expect(body).toMatchObject({ success: true });
    }
    // First come, first served, it would be all of them.
    expect(ended).toBeLessThan(3);
    for (const { body } of await Promise.all(hostile)) {
      expect(body).toMatchObject({ success: false, cost: 0, error_message: expect.stringContaining('longer than') });
    }
  });
});

describe('the event loop of the service', () => {
  /** Each valid by the tool's schema; most of them end the process that reads them, or are long to read or to answer. */
  const attacks: readonly (readonly [toolId: string, parameters: JsonObject])[] = [
    ['forge.yaml.to_json.v1', { yaml: '['.repeat(5_000) }],
    ['forge.yaml.to_json.v1', { yaml: '? '.repeat(20_000) }],
    ['lingua.readability.score.v1', { text: '. '.repeat(25_000) }],
    ['formula.expression.evaluate.v1', { expression: 'zeros(100000000)' }],
    ['toolbox.json.select.v1', endless],
    ['toolbox.csv.to_json.v1', { csv: 'a\n'.repeat(18_000) }],
    ['toolbox.csv.to_json.v1', { csv: '\t'.repeat(190_000) }],
    ['forge.json.to_yaml.v1', { value: Array.from({ length: 40_000 }, (_, index) => ({ [`k${index}`]: [] })) }],
    ['atlas.city.list.v1', { country_code: 'US', limit: 5_000 }],
    ['scribe.article.extract.v1', { html: '<p>a'.repeat(11_000) }],
    ['scribe.template.render.v1', { template: '{% for i in (1..1000000000) %}{% endfor %}' }],
  ];

  it('goes on while hostile calls run', async () => {
    const send = ([toolId, parameters]: (typeof attacks)[number], shape: object): Promise<Answer> =>
      execution.call({ tool_id: toolId, parameters, ...shape });
    const shapes = [{ respond_with: 'summary' }, { max_response_size: -1 }];
    const quiet = await stallsDuring(() => sleep(3_000));
    const stalls = await stallsDuring(async () => {
      const calls: Promise<Answer>[] = [];
      for (const shape of shapes) {
        for (const attack of attacks) {
          calls.push(send(attack, shape));
          // The caller is in this process, too: what it writes in one go would be a stall of its own.
          await sleep(50);
        }
        for (const { status } of await Promise.all(calls)) expect(status).toBeLessThan(500);
      }
    });
    // A machine that is busy with something else stops a process for a moment, now and then.
    expect(stalls).toBeLessThanOrEqual(quiet + shapes.length);
  });
});
