import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const paid = toolContract();
/** Its hold may take no longer than it may itself. */
const hasty = toolContract({ toolId: 'weather.hasty.get.v1', timeoutMs: 300 });
const judged = toolContract({ toolId: 'weather.judged.get.v1', resultPredicates: { emptyWhen: '$.nothing' } });
const parameters = { city: 'Bern' };
let answer: ProviderAnswer;
let calls = 0;
let execution: RunningExecution;

beforeAll(async () => {
  execution = await startExecution(
    [paid, hasty, judged],
    {
      call: () => {
        calls += 1;
        return Promise.resolve(answer);
      },
      close: () => Promise.resolve(),
    },
    { JSONPATH_MAX_PROCESSES: '1' },
  );
});
afterAll(() => execution.stop());
beforeEach(() => {
  calls = 0;
  execution.billing.available = 10_000_000n;
  answer = { kind: 'answered', data: { degrees: 21 } };
});

const newId = () => newExecutionId(systemClock.nowMs());
const eventsOf = (executionId: ExecutionId) => readStream(execution.database.pool, executionId);
const typesOf = async (executionId: ExecutionId) => (await eventsOf(executionId)).map((event) => event.type);

/** Runs `work` while statements that use the table fail. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  const { owner } = execution.database;
  await owner.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  try {
    return await work();
  } finally {
    await owner.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
}

describe('a Call whose database fails', () => {
  it('at its start gets 503, is not run, and is closed by an end that the audit leaves out', async () => {
    const executionId = newId();
    const { status, headers, body } = await without('running_executions', () =>
      execution.call({ tool_id: paid.toolId, parameters }, { executionId }),
    );
    expect([status, headers['retry-after'], calls]).toEqual([503, '2', 0]);
    expect(body).toEqual({
      status: 'failure',
      message: expect.stringContaining('not run'),
      code: 'not_dispatched',
    });
    for (let tries = 0; tries < 1_000 && (await typesOf(executionId)).length === 0; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const [end, ...more] = await eventsOf(executionId);
    expect(more).toEqual([]);
    expect(end).toMatchObject({
      type: 'ExecutionInterrupted',
      data: { dispatched: false, httpStatusCode: 503, success: false },
    });
  });

  it('at a refusal gets 503 and may be repeated', async () => {
    const executionId = newId();
    const refused = () => execution.call({ tool_id: 'no.such.tool.v1', parameters }, { executionId });
    const { status, headers, body } = await without('execution_payloads', refused);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(body).toEqual({
      status: 'failure',
      message: expect.stringContaining('not run'),
      code: 'not_dispatched',
    });
    expect(await typesOf(executionId)).toEqual([]);
    expect((await refused()).status).toBe(422);
  });
});

describe('a Call to a replica whose lease has lapsed', () => {
  it('is left to another replica: nothing of it is begun, and the answer says so', async () => {
    const lapsing = await execution.replica({ leaseMs: 300 });
    try {
      const executionId = newId();
      const call = () => lapsing.call({ tool_id: paid.toolId, parameters }, { executionId });
      await without('execution_owners', async () => {
        while (lapsing.service.ready().detail !== 'the execution lease is not held') await delay(20);
        const { status, headers, body } = await call();
        expect([status, headers['x-service-availability'], headers['retry-after']]).toEqual([503, 'not_ready', '2']);
        expect(body).toMatchObject({ code: 'not_dispatched' });
      });
      expect([calls, await typesOf(executionId)]).toEqual([0, []]);
      // The other replica runs the very same call.
      const answered = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
      expect([answered.status, answered.body['success'], calls]).toEqual([200, true, 1]);
    } finally {
      await lapsing.stop();
    }
  });
});

describe('a Call whose hold is slow', () => {
  afterEach(() => {
    execution.billing.delayMs = 0;
  });

  it('runs once it is held; 503 and not run where its own time is over by then', async () => {
    execution.billing.delayMs = 1_000;
    const call = (toolId: string) => execution.call({ tool_id: toolId, parameters });
    const [held, late] = await Promise.all([call(paid.toolId), call(hasty.toolId)]);
    expect([held.status, held.body['success'], late.status, calls]).toEqual([200, true, 503, 1]);
  });
});

describe('a JSONPath of a caller that runs for ever', () => {
  it('does not keep what other tools say about their results from being evaluated', async () => {
    answer = { kind: 'answered', data: { text: 'a'.repeat(60) } };
    // Its thread has started before those of the callers take the machine.
    await execution.call({ tool_id: judged.toolId, parameters });
    calls = 0;
    const endless = { tool_id: paid.toolId, parameters, respond_with: "fields:$[?search(@, '(a+)+$b')]" };
    const hostile = Array.from({ length: 6 }, () => execution.call(endless));
    while (calls < 6) await delay(5);
    const { body } = await execution.call({ tool_id: judged.toolId, parameters });
    expect(body).toMatchObject({ success: true, execution_outcome: { reason_code: 'result.valid' } });
    for (const one of await Promise.all(hostile)) expect(one.body).toHaveProperty('result.truncated_content');
  });
});

describe('a Call whose tool ran', () => {
  it('and answered with something nested without end is not charged', async () => {
    let data: JsonObject = {};
    for (let level = 0; level < 20_000; level += 1) data = { data };
    for (const json of [undefined, `${'['.repeat(501)}${']'.repeat(501)}`]) {
      answer = json === undefined ? { kind: 'answered', data } : { kind: 'answered', data: JSON.parse(json), json };
      const executionId = newId();
      const { status, body } = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        execution_id: executionId,
        success: false,
        cost: 0,
        error_message: expect.stringContaining('500 levels'),
        execution_outcome: { reason_code: 'provider.error' },
      });
      expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    }
  });

  it('and whose answer cannot be handled gets 500 in Execute shape with its id, and an end without a charge', async () => {
    answer = { kind: 'failed', fault: 'unheard_of', message: '', retryable: false } as unknown as ProviderAnswer;
    const executionId = newId();
    const { status, body } = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    expect([status, calls]).toEqual([500, 1]);
    expect(body).toMatchObject({
      execution_id: executionId,
      success: false,
      message: expect.stringContaining('execution_id'),
      execution_outcome: { reason_code: 'transport.no_response' },
    });
    expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
    expect((await eventsOf(executionId)).at(-1)?.data).toMatchObject({
      httpStatusCode: 500,
      bill: { listAmountMicroCredits: '0' },
    });
  });
});
