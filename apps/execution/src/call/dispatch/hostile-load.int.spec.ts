import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { builtinTools } from '@capability-router/builtin-tools';
import { newAccountId, systemClock, type JsonObject } from '@capability-router/kernel';
import { sampledCalls, type HostileCall } from '../../test-support/hostile-input/sampled-inputs.js';
import { startExecution, type Answer, type RunningExecution } from '../../test-support/running-execution.js';
import { stallsDuring } from '../../test-support/stalls.js';
import { toolContract } from '../../test-support/tool-contract.js';

jest.setTimeout(180_000);

/** Micro-credits. */
const BALANCE = 1_000_000_000n;
/** Milliseconds, with more than a call has to wait here. */
const TIMEOUT_MS = 90_000;
const MAX_PROCESSES = 3;
/** Times that hostile calls are played, of which the one with the fewest stalls counts. */
const TRIES = 3;

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(
    builtinTools.map((manifest) => toolContract({ ...manifest, timeoutMs: TIMEOUT_MS })),
    undefined,
    { BUILTIN_MAX_PROCESSES: String(MAX_PROCESSES) },
  );
});
afterAll(() => execution.stop());
beforeEach(() => {
  execution.billing.available = BALANCE;
});

const endless: JsonObject = { json: [`${'a'.repeat(40)}!`], expression: "$[?search(@, '^(a|aa)+$')]" };
/** Calls that run to the limit of their tool, two at a time. */
const HOSTILE_CALLS = 5;
/** A machine that gave it too little of its processor says that this is not the caller's fault. */
const ranToItsLimit = /longer than the tool allows|too busy to run the tool in time; the fault is ours/;
const modest: JsonObject = { json: ['a'], expression: '$[0]' };

async function processes(): Promise<number> {
  const { values = [] } = (await execution.metrics.getSingleMetric('builtin_processes')?.get()) ?? {};
  return values[0]?.value ?? 0;
}

describe('an account whose calls run to their limits', () => {
  it('keeps no other account waiting for more than its turn', async () => {
    const toolId = 'toolbox.json.select.v1';
    const other = { ...execution.account, accountId: newAccountId(systemClock.nowMs()) };
    const order: ('hostile' | 'modest')[] = [];
    const send = async (kind: 'hostile' | 'modest', account = execution.account): Promise<Answer> => {
      const parameters = kind === 'hostile' ? endless : modest;
      const answer = await execution.call({ tool_id: toolId, parameters }, { account });
      order.push(kind);
      return answer;
    };
    // Nobody is to wait for the start of a process, which takes as long as a hostile call on a machine that is busy.
    while ((await processes()) < MAX_PROCESSES) {
      const warm = [send('modest'), send('modest'), send('modest', other)];
      for (const { body } of await Promise.all(warm)) expect(body).toMatchObject({ success: true });
    }
    order.length = 0;
    const hostile = Array.from({ length: HOSTILE_CALLS }, () => send('hostile'));
    const served = Array.from({ length: 10 }, () => send('modest', other));
    for (const { body } of await Promise.all(served)) expect(body).toMatchObject({ success: true });
    const answers = await Promise.all(hostile);
    // First come, first served, all of them would come before it: two run at once, and those that wait do so after others.
    const before = order.slice(0, order.lastIndexOf('modest')).filter((kind) => kind === 'hostile');
    expect(before.length).toBeLessThan(HOSTILE_CALLS / 2);
    for (const { body } of answers) {
      expect(body).toMatchObject({ success: false, cost: 0, error_message: expect.stringMatching(ranToItsLimit) });
    }
  });
});

describe('the event loop of the service', () => {
  /** Parameters that cannot be made from a schema. */
  const known: readonly HostileCall[] = [
    { name: 'endless pattern', toolId: 'toolbox.json.select.v1', parameters: endless },
    { name: 'zeros', toolId: 'formula.expression.evaluate.v1', parameters: { expression: 'zeros(100000000)' } },
    {
      name: 'endless loop',
      toolId: 'scribe.template.render.v1',
      parameters: { template: '{% for i in (1..1000000000) %}{% endfor %}' },
    },
    { name: 'long list', toolId: 'atlas.city.list.v1', parameters: { country_code: 'US', limit: 5_000 } },
  ];
  const samples = builtinTools.map(({ toolId, sampleParameters }) => ({ toolId, parameters: sampleParameters }));
  const shapes = [{ respond_with: 'summary' }, { max_response_size: -1 }];

  const play = async (calls: readonly Omit<HostileCall, 'name'>[], shape: object): Promise<void> => {
    const answers: Promise<Answer>[] = [];
    for (const { toolId, parameters } of calls) {
      answers.push(execution.call({ tool_id: toolId, parameters, ...shape }));
      // The caller is in this process, too: what it writes in one go would be a stall of its own.
      await sleep(20);
    }
    for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
  };

  it('stands still no oftener while hostile calls of every tool run than while ordinary ones do', async () => {
    // Made before: to make them takes longer than to call.
    const hostile = shapes.map((_, turn) => [...known, ...sampledCalls(builtinTools, 1, turn)]);
    for (const calls of hostile) expect(calls.length).toBeGreaterThan(builtinTools.length / 2);
    // Loading and compiling happen once and count for neither.
    for (const shape of shapes) await play(samples, shape);
    const ordinary = await stallsDuring(async () => {
      for (const shape of shapes) await play(samples, shape);
    });
    // A call that makes the service stand still does so each time; a garbage collection of much else does not.
    let fewest = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < TRIES && fewest > ordinary; tried += 1) {
      const stalls = await stallsDuring(async () => {
        for (const [turn, shape] of shapes.entries()) await play(hostile[turn] ?? [], shape);
      });
      fewest = Math.min(fewest, stalls);
    }
    expect(fewest).toBeLessThanOrEqual(ordinary);
  });
});
