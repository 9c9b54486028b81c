import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type ExecutionId } from '@capability-router/kernel';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

/** A provider that answers, rightly, when the test lets it. */
let provider: Server;
let waiting: ServerResponse | undefined;
let execution: RunningExecution;
const text = { en: 'A provider of a test' };

const tool = (name: string, timeoutMs: number) =>
  toolContract({
    toolId: `slow.${name}.get.v1`,
    providerId: 'slow',
    timeoutMs,
    parametersSchema: { type: 'object', additionalProperties: false },
    binding: {
      kind: 'http',
      method: 'POST',
      url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`,
      placements: {},
      auth: { kind: 'none' },
    },
    provider: {
      providerId: 'slow',
      name: text,
      description: text,
      egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
    },
  });

beforeAll(async () => {
  provider = createServer((_request, response) => {
    waiting = response;
    provider.emit('asked');
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  execution = await startExecution([tool('patient', 60_000), tool('hasty', 2_000)]);
}, 60_000);
afterAll(async () => {
  await execution.stop();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

const eventsOf = (executionId: ExecutionId) => readStream(execution.database.pool, executionId);
const answerNow = (): void =>
  void waiting?.writeHead(200, { 'content-type': 'application/json' }).end('{"rows":[1,2,3]}');

async function begin(toolId: string) {
  const executionId = newExecutionId(systemClock.nowMs());
  const asked = once(provider, 'asked');
  const answer = execution.call({ tool_id: toolId, parameters: {} }, { executionId });
  await asked;
  return { executionId, answer };
}

describe('a success that comes too late', () => {
  it('is never charged when the call was interrupted meanwhile: the first end stands, and the answer tells it', async () => {
    const { executionId, answer } = await begin('slow.patient.get.v1');
    // As if 5 s had passed since the deadline: whoever looks for overdue calls ends this one while its owner waits.
    await execution.database.pool.query(
      `UPDATE running_executions SET give_up_at = now() - interval '1 second' WHERE execution_id = $1`,
      [executionId],
    );
    for (let turn = 0; (await eventsOf(executionId)).length < 2 && turn < 400; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect((await eventsOf(executionId)).map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
    answerNow();
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      execution_id: executionId,
      success: false,
      cost: 0,
      execution_outcome: { outcome: 'interrupted', reason_code: 'transport.execution_failed', billable_success: false },
    });
    // Nothing of what is not paid for.
    expect(JSON.stringify(body['result'])).not.toContain('rows');
    const events = await eventsOf(executionId);
    expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
    expect(events[1]?.data).toMatchObject({ success: false, bill: { listAmountMicroCredits: '0', chargeLines: [] } });
  }, 60_000);

  it('is never charged when it comes after the deadline', async () => {
    const { executionId, answer } = await begin('slow.hasty.get.v1');
    const { body } = await answer;
    expect(body).toMatchObject({ success: false, cost: 0, execution_outcome: { reason_code: 'transport.timeout' } });
    const before = await eventsOf(executionId);
    answerNow();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await eventsOf(executionId)).toEqual(before);
    expect(before.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(before[1]?.data).toMatchObject({ success: false, bill: { listAmountMicroCredits: '0' } });
  });
});
