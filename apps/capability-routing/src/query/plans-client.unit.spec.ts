import { describe, expect, it } from '@jest/globals';
import { MAX_REFUSAL_MESSAGE_LENGTH, type RefusePlanRequest, type RunPlanRequest } from '@capability-router/contracts';
import {
  createLogger,
  UpstreamTimeout,
  UpstreamUnavailable,
  type ServiceClient,
  type ServiceRequest,
  type ServiceResponse,
} from '@capability-router/service-kit';
import { PlansClient } from './plans-client.js';

const plan: RunPlanRequest = {
  capability: { capabilityId: 'geo.distance' },
  attempts: [],
  fields: {},
  deadlineMs: 30_000,
  repeatable: true,
  request: {},
};
const asking = { executionId: 'exec_1', requestId: 'req_1', assertion: 'token' };
const answer = (status: number, body: object | string, headers = {}): ServiceResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Execution answers with `outcome`, or does not answer. */
function clientOf(outcome: ServiceResponse | Error): { client: PlansClient; requests: ServiceRequest[] } {
  const requests: ServiceRequest[] = [];
  const execution: ServiceClient = {
    request: (request) => {
      requests.push(request);
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
  };
  return { client: new PlansClient(execution, createLogger('capability-routing', 'silent')), requests };
}

describe('a plan', () => {
  it('is sent once, with the ids and the assertion of the caller, and waited for beyond its deadline', async () => {
    const told = { 'idempotency-replayed': 'true', 'x-reason-code': 'ok', 'x-billed-credits': '0.5' };
    const { client, requests } = clientOf(answer(200, { success: true }, { ...told, 'set-cookie': 'a=b' }));
    const { httpStatus, headers, body } = await client.run(asking, plan);
    expect([httpStatus, headers]).toEqual([200, told]);
    expect(body).toEqual(Buffer.from('{"success":true}'));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      path: '/internal/plans',
      headers: { 'x-execution-id': 'exec_1', 'x-request-id': 'req_1' },
      assertion: 'token',
    });
    expect(requests[0]?.timeoutMs).toBeGreaterThan(plan.deadlineMs + 5_000);
    expect(requests[0]?.repeatable).toBeUndefined();
  });

  it.each<[string, ServiceResponse | Error]>([
    ['execution has not seen it', new UpstreamUnavailable('execution', false, new Error('refused'))],
    ['it waited for a connection until the end', new UpstreamTimeout('execution', 40_000, false)],
    ['no replica of execution is ready', answer(503, {}, { 'x-service-availability': 'not_ready' })],
    ['execution does not know this service', answer(401, { message: 'Invalid API key' })],
  ])('is a 503 that may be repeated where %s', async (_what, outcome) => {
    const refusal = clientOf(outcome).client.run(asking, plan);
    await expect(refusal).rejects.toMatchObject({ code: 'not_dispatched', httpStatus: 503 });
  });

  it.each<[string, Error]>([
    ['the connection broke', new UpstreamUnavailable('execution', true, new Error('reset'))],
    ['there was no answer in time', new UpstreamTimeout('execution', 40_000, true)],
  ])('is a 500 with its id where %s, because it may have run', async (_what, outcome) => {
    const { httpStatus, body } = await clientOf(outcome).client.run(asking, plan);
    expect(httpStatus).toBe(500);
    expect(body).toMatchObject({
      status: 'failure',
      execution_id: 'exec_1',
      message: expect.stringContaining('unknown'),
    });
  });

  it('that execution refuses for the caller is answered as it says', async () => {
    const { client } = clientOf(answer(402, { execution_id: 'exec_1', message: 'Too dear.' }));
    expect(await client.run(asking, plan)).toEqual({
      httpStatus: 402,
      headers: {},
      body: { status: 'failure', execution_id: 'exec_1', message: 'Too dear.' },
    });
    const full = clientOf(answer(503, { message: 'Later.', code: 'not_dispatched' }, { 'retry-after': '1' }));
    expect(await full.client.run(asking, plan)).toMatchObject({ httpStatus: 503, headers: { 'retry-after': '1' } });
    const raced = clientOf(answer(409, { message: 'Retry later.', code: 'conflict' }));
    expect(await raced.client.run(asking, plan)).toMatchObject({ httpStatus: 409, body: { code: 'conflict' } });
  });

  it('of an account that was closed meanwhile is a 404 that says so', async () => {
    const { client } = clientOf(answer(404, { message: 'Closed.', code: 'account_not_active' }));
    await expect(client.run(asking, plan)).rejects.toMatchObject({ code: 'account_not_active', httpStatus: 404 });
  });

  it.each([
    answer(422, { message: 'capability is wrong' }),
    answer(413, { message: 'too large' }),
    answer(500, '<html>'),
  ])('that is no plan is our fault, and nothing of the answer is told', async (outcome) => {
    const { httpStatus, body } = await clientOf(outcome).client.run(asking, plan);
    expect([httpStatus, JSON.stringify(body)]).toEqual([500, expect.stringContaining('exec_1')]);
    expect(JSON.stringify(body)).not.toMatch(/wrong|large|html/);
  });
});

describe('a refusal', () => {
  const refusal = { httpStatus: 404, reasonCode: 'validation_error', message: 'None.', request: {} } as const;

  it('may be recorded twice, and counts once', async () => {
    const { client, requests } = clientOf(answer(409, { message: 'It has an event already.' }));
    await client.refuse(asking, refusal);
    expect(requests[0]).toMatchObject({ path: '/internal/plans:refuse', repeatable: true });
  });

  it('is recorded with as much of its message as a record takes, and no half of a character', async () => {
    const { client, requests } = clientOf(answer(200, {}));
    const message = `The query is invalid: ${'\u{1f69a}'.repeat(MAX_REFUSAL_MESSAGE_LENGTH)}`;
    await client.refuse(asking, { ...refusal, message });
    const { message: sent } = JSON.parse(String(requests[0]?.body)) as RefusePlanRequest;
    expect([...sent]).toHaveLength(MAX_REFUSAL_MESSAGE_LENGTH);
    expect(sent).toMatch(/^The query is invalid: (\u{1f69a})+$/u);
    await client.refuse(asking, refusal);
    expect(JSON.parse(String(requests[1]?.body))).toEqual(refusal);
  });

  it('gives way to the answer that the idempotency key has', async () => {
    const bound = { httpStatus: 200, headers: { 'idempotency-replayed': 'true' }, body: { success: true } };
    expect(await clientOf(answer(200, { bound })).client.refuse(asking, refusal)).toEqual(bound);
    expect(await clientOf(answer(200, {})).client.refuse(asking, refusal)).toBeUndefined();
    const running = { httpStatus: 409, headers: { 'retry-after': '1' }, body: { message: 'It is running.' } };
    expect(await clientOf(answer(200, { bound: running })).client.refuse(asking, refusal)).toMatchObject({
      httpStatus: 409,
      body: { status: 'failure', message: 'It is running.' },
    });
  });

  it.each<[string, ServiceResponse | Error]>([
    ['execution is away', new UpstreamUnavailable('execution', true, new Error('reset'))],
    ['execution cannot record it', answer(503, {})],
  ])('is a 503 where %s, so that no query goes without its row', async (_what, outcome) => {
    await expect(clientOf(outcome).client.refuse(asking, refusal)).rejects.toMatchObject({ code: 'not_dispatched' });
  });
});
