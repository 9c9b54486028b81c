import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { until } from '../../test-support/replicated-execution.js';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

const paid = toolContract({ resultPredicates: { emptyWhen: '$.nothing' } });
const free = toolContract({
  toolId: 'demo.weather.free.v1',
  price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' },
});
/** Its hold may take no longer than it may itself. */
const hasty = toolContract({ toolId: 'demo.weather.hasty.v1', timeoutMs: 300 });
const failed: ProviderAnswer = {
  kind: 'failed',
  fault: 'http_error',
  message: '503',
  statusCode: 503,
  retryable: true,
};
/** Milliseconds; an answer waits for longer than that, but for no more than a moment. */
const RELEASE_DELAY_MS = 20;
/** Calls of which one is answered in that moment, also on a machine that is busy. */
const TRIES = 50;
let answer: ProviderAnswer | Error;
let execution: RunningExecution;

beforeAll(async () => {
  execution = await startExecution([paid, free, hasty], {
    call: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());
beforeEach(() => {
  execution.billing.available = 10_000_000n;
  execution.billing.failsToRelease = false;
  execution.billing.releaseDelayMs = 0;
  execution.billing.conflicts = false;
  execution.billing.delayMs = 0;
  execution.billing.untilHeld = () => Promise.resolve();
  execution.billing.released.length = 0;
  execution.billing.forestalled.length = 0;
});

async function call(toolId: string, options: { idempotencyKey?: string } = {}) {
  const executionId = newExecutionId(systemClock.nowMs());
  const reply = await execution.call({ tool_id: toolId, parameters: { city: 'Bern' } }, { executionId, ...options });
  return { executionId, ...reply };
}

describe('what was held for a call', () => {
  it.each<[string, ProviderAnswer | Error, JsonObject]>([
    ['failed at its provider', failed, { success: false, cost: 0 }],
    ['came back empty', { kind: 'answered', data: { nothing: true } }, { success: false, cost: 0 }],
    ['failed on our side', new Error('a bug'), { success: false }],
  ])('that %s is given back before the call is answered', async (_what, given, expected) => {
    answer = given;
    execution.billing.releaseDelayMs = RELEASE_DELAY_MS;
    const ended: string[] = [];
    let wasHeard = false;
    while (!wasHeard && ended.length < TRIES) {
      const { executionId, body } = await call(paid.toolId);
      wasHeard = execution.billing.released.includes(executionId);
      ended.push(executionId);
      expect(body).toMatchObject(expected);
    }
    expect(wasHeard).toBe(true);
    await until(() => execution.billing.released.length >= ended.length);
    expect(new Set(execution.billing.released)).toEqual(new Set(ended));
    expect(execution.billing.released).toHaveLength(ended.length);
  });

  it('is given back at once where the execution was ended before it could start', async () => {
    answer = { kind: 'answered', data: { degrees: 21 } };
    const executionId = newExecutionId(systemClock.nowMs());
    const { accountId } = execution.account;
    const asked = { executions: [{ executionId, accountId }] };
    // Billing asks how an execution ended that it has heard nothing of, which ends it.
    await execution.internal('billing', '/internal/executions:end-states', asked);
    const { status, body } = await execution.call(
      { tool_id: paid.toolId, parameters: { city: 'Bern' } },
      { executionId },
    );
    expect([status, body['code']]).toEqual([503, 'not_dispatched']);
    await until(() => execution.billing.released.length > 0);
    expect(execution.billing.released).toEqual([executionId]);
    const lookedUp = await execution.read(`/api/v1/tools/executions/${executionId}`);
    expect([lookedUp.status, lookedUp.body['code']]).toEqual([404, 'execution_never_ran']);
  });

  it('is nothing where the execution of a key was ended before it could start: the key is free for the retry', async () => {
    answer = { kind: 'answered', data: { degrees: 21 } };
    const executionId = newExecutionId(systemClock.nowMs());
    const { accountId } = execution.account;
    const asked = { executions: [{ executionId, accountId }] };
    await execution.internal('billing', '/internal/executions:end-states', asked);
    const body = { tool_id: paid.toolId, parameters: { city: 'Bern' } };
    const late = await execution.call(body, { executionId, idempotencyKey: 'ended-before' });
    expect([late.status, late.body['code']]).toEqual([503, 'not_dispatched']);
    const retry = await execution.call(body, { idempotencyKey: 'ended-before' });
    expect([retry.status, retry.body['success']]).toEqual([200, true]);
  });

  it('that is repeated under its key is given back once', async () => {
    answer = failed;
    const first = await call(paid.toolId, { idempotencyKey: 'once' });
    await call(paid.toolId, { idempotencyKey: 'once' });
    await until(() => execution.billing.released.length > 0);
    expect(execution.billing.released).toEqual([first.executionId]);
  });

  it('that costs something, or for which nothing was held, is left to settlement', async () => {
    answer = { kind: 'answered', data: { degrees: 21 } };
    expect((await call(paid.toolId)).body).toMatchObject({ success: true, cost: 0.25 });
    answer = failed;
    await call(free.toolId);
    execution.billing.available = 0n;
    expect((await call(paid.toolId)).status).toBe(402);
    expect(execution.billing.released).toEqual([]);
  });

  it('is left to the event of the call where billing fails, and the answer is the same', async () => {
    answer = failed;
    execution.billing.failsToRelease = true;
    expect((await call(paid.toolId)).body).toMatchObject({ success: false, cost: 0, remaining_credits: 10 });
  });
});

describe('what may be held for a call, or may come to be', () => {
  const forestalled = (executionId: string) => [
    { billableId: executionId, accountId: execution.account.accountId, amountMicroCredits: '250000' },
  ];
  /** The answer waits for it for a moment only. */
  const untilForestalled = () => until(() => execution.billing.forestalled.length > 0);

  it('is given back where billing did not say so in time', async () => {
    execution.billing.delayMs = 1_000;
    const { executionId, status, body } = await call(hasty.toolId);
    expect([status, body['code']]).toEqual([503, 'not_dispatched']);
    await untilForestalled();
    expect(execution.billing.forestalled).toEqual(forestalled(executionId));
  });

  it('is given back where billing has another hold of its id: nothing was sent, and the call may be repeated', async () => {
    execution.billing.conflicts = true;
    const { executionId, status, body } = await call(paid.toolId);
    expect([status, body['code']]).toEqual([503, 'not_dispatched']);
    await untilForestalled();
    expect(execution.billing.forestalled).toEqual(forestalled(executionId));
    const lookedUp = await execution.read(`/api/v1/tools/executions/${executionId}`);
    expect([lookedUp.status, lookedUp.body['code']]).toEqual([404, 'execution_never_ran']);
  });

  it('is not asked for again where the lease lapsed meanwhile: the caller is told the end that is on record', async () => {
    execution.billing.conflicts = true;
    const { owner } = execution.database;
    const isRunning = async (executionId: string) => {
      const { rowCount } = await owner.query('SELECT FROM running_executions WHERE execution_id = $1', [executionId]);
      return rowCount === 1;
    };
    // A process that was frozen: another one takes what it runs for lost while its hold is on the way.
    const loseIt = async () => {
      await owner.query('UPDATE running_executions SET owner_id = gen_random_uuid()');
      await until(async () => !(await isRunning(executionId)));
    };
    // On a busy machine billing is asked twice: both wait for the same, so that nobody looks any more once the test has ended.
    let lost: Promise<void> | undefined;
    execution.billing.untilHeld = () => (lost ??= loseIt());
    const executionId = newExecutionId(systemClock.nowMs());
    const { status, body } = await execution.call(
      { tool_id: paid.toolId, parameters: { city: 'Bern' } },
      { executionId, idempotencyKey: 'starts-first' },
    );
    expect([status, body['success'], body['cost']]).toEqual([200, false, 0]);
    const lookedUp = await execution.read(`/api/v1/tools/executions/${executionId}`);
    expect([lookedUp.status, lookedUp.body['data']]).toMatchObject([200, { execution_state: 'interrupted' }]);
  });

  it('is given back where nobody knows whether the call is on record', async () => {
    const { owner } = execution.database;
    await owner.query('ALTER TABLE running_executions RENAME TO away');
    const { executionId, status } = await call(paid.toolId);
    await owner.query('ALTER TABLE away RENAME TO running_executions');
    expect(status).toBe(503);
    await untilForestalled();
    expect(execution.billing.forestalled).toEqual(forestalled(executionId));
  });
});
