import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountAssertion, ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { openPipeline, type OpenPipeline } from '../test-support/open-pipeline.js';
import { until } from '../test-support/replicated-execution.js';
import { toolContract } from '../test-support/tool-contract.js';
import { accept } from './admission/accepted-call.js';
import { planOf, type Plan } from './admission/plan.js';

const priced = (name: string, amountMicroCredits: string): ToolContract =>
  toolContract({
    toolId: `demo.weather.${name}.v1`,
    price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' },
  });
const cheap = priced('cheap', '100000');
const dear = priced('dear', '300000');
const gratis = priced('gratis', '0');

const served: ProviderAnswer = { kind: 'answered', data: { degrees: 21 } };
const empty: ProviderAnswer = { kind: 'answered', data: [] };
const failed: ProviderAnswer = { kind: 'failed', fault: 'http_error', message: '', statusCode: 500, retryable: true };
const unheard: ProviderAnswer = { kind: 'failed', fault: 'no_response', message: '', retryable: true };
const ofGateway: ProviderAnswer = { ...failed, statusCode: 504 };
const notSent: ProviderAnswer = { kind: 'failed', fault: 'unavailable', message: 'It rests.', retryable: true };

const assertion: AccountAssertion = {
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
};
let answers: Readonly<Record<string, ProviderAnswer | Error>> = {};
let asked: string[] = [];
let reached: string[] = [];
let answerAfterMs = 0;
/** Which of the points that are reached throws; 0 = none. */
let breaksAt = 0;
let pipeline: OpenPipeline;

beforeAll(async () => {
  const provider = {
    async call({ toolId }: { readonly toolId: string }) {
      asked.push(toolId);
      await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
      const answer = answers[toolId];
      if (answer === undefined) throw new Error(`nobody is to ask ${toolId}`);
      return answer as ProviderAnswer;
    },
    close: () => Promise.resolve(),
  };
  pipeline = await openPipeline(provider, (point) => {
    reached.push(point);
    if (reached.length === breaksAt) throw new Error('a fault of ours');
  });
});
afterAll(() => pipeline.close());
beforeEach(() => {
  [asked, reached, answerAfterMs, breaksAt] = [[], [], 0, 0];
  pipeline.billing.available = 10_000_000n;
  pipeline.billing.holds.length = 0;
  pipeline.billing.released.length = 0;
});

/** Runs tools in this order, each of which gives its answer. */
async function run(
  tools: readonly [readonly [ToolContract, ProviderAnswer], ...(readonly [ToolContract, ProviderAnswer])[]],
  limits: Partial<Pick<Plan, 'deadlineMs' | 'repeatable'>> = {},
  expectedMs: readonly (number | undefined)[] = [],
) {
  answers = Object.fromEntries(tools.map(([{ toolId }, answer]) => [toolId, answer]));
  const executionId = newExecutionId(systemClock.nowMs());
  const [first, ...others] = tools.map(([tool], position) => {
    const usual = expectedMs[position];
    return { position, tool, parameters: { city: 'Bern' }, ...(usual === undefined ? {} : { expectedMs: usual }) };
  });
  if (first === undefined) throw new Error('a plan has an attempt');
  const plan = planOf({ executionId, assertion, partial: {} }, [first, ...others], {
    deadlineMs: 30_000,
    repeatable: false,
    ...limits,
  });
  if (plan === undefined) throw new Error('the attempts are within the limits');
  const raw = { queryToolIds: [], cacheMode: undefined, body: { city: 'Bern' } };
  const wanted = { maxResponseBytes: undefined, projection: { kind: 'full' }, cacheMode: 'default' } as const;
  const call = accept({ executionId, assertion, assertionToken: '', raw }, systemClock.nowMs(), wanted, plan);
  const { body } = await pipeline.executeTool.run(call);
  const events = await readStream(pipeline.database.pool, executionId);
  const end = events.at(-1)?.data as JsonObject;
  return { executionId, body, types: events.map(({ type }) => type), end };
}

const charged = (end: JsonObject) => (end['bill'] as JsonObject)['listAmountMicroCredits'];
const holds = () => pipeline.billing.holds.map(({ amountMicroCredits }) => amountMicroCredits);

describe('a plan of two attempts', () => {
  it('ends with the second where the first fails: one hold of the larger bound, one end, one charge', async () => {
    const { body, types, end } = await run([
      [dear, failed],
      [cheap, served],
    ]);
    expect(asked).toEqual([dear.toolId, cheap.toolId]);
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(holds()).toEqual(['300000']);
    expect([charged(end), end['toolId'], end['holdMicroCredits']]).toEqual(['100000', cheap.toolId, '300000']);
    expect(body).toMatchObject({ success: true, cost: 0.1, remaining_credits: 9.9, result: { data: { degrees: 21 } } });
    expect(pipeline.billing.released).toEqual([]);
    expect(reached).toEqual([
      'after-start',
      'after-hold',
      'after-provider-call',
      'after-provider-call',
      'after-commit',
    ]);
  });

  it('holds for an attempt that costs more than the one before it', async () => {
    const { body, end } = await run([
      [gratis, empty],
      [dear, served],
    ]);
    expect([holds(), charged(end)]).toEqual([['300000'], '300000']);
    expect(body).toMatchObject({ cost: 0.3, remaining_credits: 9.7 });
  });

  it('ends with the first where that serves: the second is not asked', async () => {
    const { end } = await run([
      [cheap, served],
      [dear, served],
    ]);
    expect([asked, charged(end)]).toEqual([[cheap.toolId], '100000']);
  });

  it('goes on where the first was not sent', async () => {
    const { types, end } = await run([
      [dear, notSent],
      [cheap, served],
    ]);
    expect([types.at(-1), charged(end)]).toEqual(['ExecutionCompleted', '100000']);
  });

  it('stops where nobody knows what the first did, so that nothing is sent twice', async () => {
    const { executionId, body, types, end } = await run([
      [dear, unheard],
      [cheap, served],
    ]);
    expect([asked, types.at(-1), charged(end)]).toEqual([[dear.toolId], 'ExecutionCompleted', '0']);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'transport.no_response' } });
    await until(() => pipeline.billing.released.length > 0);
    expect(pipeline.billing.released).toEqual([executionId]);
  });

  it('stops where a gateway answered in the place of the first', async () => {
    const { body } = await run([
      [dear, ofGateway],
      [cheap, served],
    ]);
    expect(asked).toEqual([dear.toolId]);
    expect(body).toMatchObject({ success: false, execution_outcome: { provider_status_code: 504 } });
  });

  it('goes on where nobody knows what the first did, and the plan says that it may', async () => {
    const { end } = await run(
      [
        [dear, unheard],
        [cheap, served],
      ],
      { repeatable: true },
    );
    expect([asked, charged(end)]).toEqual([[dear.toolId, cheap.toolId], '100000']);
  });

  it('stops at its deadline: no attempt begins after it', async () => {
    // The hold and the start, which a machine that is busy takes long for, are to come before it.
    answerAfterMs = 3_200;
    const { types, end } = await run(
      [
        [dear, failed],
        [cheap, served],
      ],
      { deadlineMs: 3_000 },
    );
    expect([asked, types.length, end['toolId']]).toEqual([[dear.toolId], 2, dear.toolId]);
  });

  it('charges nothing where both fail, and gives back what was held once', async () => {
    const { executionId, types, end } = await run([
      [dear, empty],
      [cheap, failed],
    ]);
    expect([types, charged(end)]).toEqual([['ExecutionStarted', 'ExecutionCompleted'], '0']);
    expect(end).toMatchObject({ toolId: cheap.toolId, outcome: { reasonCode: 'provider.http_error' } });
    await until(() => pipeline.billing.released.length > 0);
    expect(pipeline.billing.released).toEqual([executionId]);
  });

  it('is not told as never sent where the first was sent and the second was not', async () => {
    const { types, end } = await run([
      [dear, failed],
      [cheap, notSent],
    ]);
    expect([types.at(-1), end['toolId']]).toEqual(['ExecutionCompleted', dear.toolId]);
  });

  it('names the attempt that ran where our own fault met the second', async () => {
    breaksAt = 4;
    const { body, types, end } = await run([
      [dear, failed],
      [cheap, served],
    ]);
    expect([types.at(-1), end['toolId'], charged(end)]).toEqual(['ExecutionInterrupted', cheap.toolId, '0']);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'transport.no_response' } });
  });

  it('runs what the account can pay for, and holds no more than that', async () => {
    pipeline.billing.available = 200_000n;
    const { body, end } = await run([
      [dear, served],
      [cheap, served],
    ]);
    expect([asked, holds()]).toEqual([[cheap.toolId], ['100000']]);
    expect([end['toolId'], end['holdMicroCredits'], charged(end)]).toEqual([cheap.toolId, '100000', '100000']);
    expect(body).toMatchObject({ success: true, cost: 0.1, remaining_credits: 0.1 });
  });

  it('is refused where the account can pay for neither, by what the cheaper one costs', async () => {
    pipeline.billing.available = 50_000n;
    const { body, types } = await run([
      [dear, served],
      [cheap, served],
    ]);
    expect([asked, types.at(-1)]).toEqual([[], 'ExecutionRefused']);
    expect(body).toMatchObject({ code: 'insufficient_credits', details: [{ needed_credits: 0.1 }] });
  });

  it('begins no attempt that would not have the time that it needs', async () => {
    answerAfterMs = 1_000;
    const { end } = await run(
      [
        [dear, failed],
        [cheap, served],
      ],
      { deadlineMs: 3_000 },
      [undefined, 2_500],
    );
    expect([asked, end['toolId']]).toEqual([[dear.toolId], dear.toolId]);
  });

  it('is refused where neither was sent', async () => {
    const { executionId, types, end, body } = await run([
      [dear, notSent],
      [cheap, notSent],
    ]);
    expect([types.at(-1), end['toolId']]).toEqual(['ExecutionRefused', cheap.toolId]);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'tool_unavailable' } });
    await until(() => pipeline.billing.released.length > 0);
    expect(pipeline.billing.released).toEqual([executionId]);
  });
});
