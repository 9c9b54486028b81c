import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERIFICATION_ACCOUNT_ID, type TrialCallRequest } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { failure, type ProviderAnswer, type ProviderRequest } from '@capability-router/provider-kit';
import { assertion } from '../test-support/credentials-world.js';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const tool = toolContract({
  toolId: 'demo.weather.now.v1',
  cache: { ttlMs: 60_000 },
  price: { metering: { kind: 'call' }, amountMicroCredits: '100000', unitLabel: 'call' },
});
const keyed = toolContract({
  ...tool,
  toolId: 'demo.weather.keyed.v1',
  binding: {
    kind: 'http',
    method: 'GET',
    url: 'https://weather.example/now',
    placements: {},
    auth: { kind: 'bearer' },
  },
});
const verification = assertion({ accountId: VERIFICATION_ACCOUNT_ID });
const trial = (over: Partial<TrialCallRequest> = {}): TrialCallRequest => ({
  toolId: tool.toolId,
  toolVersion: tool.version,
  parameters: { city: 'Bern' },
  sessionId: 'verification:demo:2026-03-01',
  ...over,
});

const served: ProviderAnswer = { kind: 'answered', data: { degrees: 21 } };
let comes: ProviderAnswer = served;
const asked: ProviderRequest[] = [];
let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution([tool, keyed], {
    call: (request) => {
      asked.push(request);
      return Promise.resolve(comes);
    },
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());

const run = async (request: TrialCallRequest, as = verification) => {
  const executionId = newExecutionId(systemClock.nowMs());
  const answer = await execution.internal('registry', '/internal/trial-calls', request, executionId, as);
  return { ...answer, executionId };
};

describe('an example that the registry runs', () => {
  it('is a Call of the account of verification, with its hold, its events and its charge, and asks the provider each time', async () => {
    for (const turn of [1, 2]) {
      const { status, body, executionId } = await run(trial());
      expect([status, asked.length]).toEqual([200, turn]);
      expect(body).toMatchObject({
        httpStatus: 200,
        body: { success: true, result: { data: { degrees: 21 } }, cost: 0.1 },
      });
      const events = await readStream(execution.database.pool, executionId);
      expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
      expect(events[1]?.data).toMatchObject({ accountId: VERIFICATION_ACCOUNT_ID, eventType: 'tool_execute' });
      expect(execution.billing.holds.at(-1)).toMatchObject({ executionId, amountMicroCredits: '100000' });
    }
  });

  it('shows the provider no credential where it shall be refused', async () => {
    const { body } = await run(trial({ toolId: keyed.toolId, withoutCredential: true }));
    expect(body).toMatchObject({ httpStatus: 200, body: { success: true } });
    expect(asked.at(-1)?.binding).toMatchObject({ kind: 'http', auth: { kind: 'none' } });
    // With it, the deployment has none yet.
    const refused = (await run(trial({ toolId: keyed.toolId }))).body['body'] as JsonObject;
    expect(refused['execution_outcome']).toMatchObject({ reason_code: 'oauth_signin_required' });
  });

  it('that failed by a fault of ours says so beside the answer that a caller would have had, and in its event', async () => {
    const failed = failure('execution_failed', 'The tool runners are busy.', { retryable: true });
    comes = failed;
    const ofTool = await run(trial());
    comes = { ...failed, ours: true };
    const ofOurs = await run(trial());
    comes = served;
    expect([ofTool.body['ours'], ofOurs.body['ours']]).toEqual([undefined, true]);
    expect(ofOurs.body['body']).toMatchObject({
      error_message: 'The tool runners are busy.',
      execution_outcome: { reason_code: 'transport.execution_failed', retryable: true },
    });
    expect(JSON.stringify(ofOurs.body['body'])).not.toContain('ours');
    const [, end] = await readStream(execution.database.pool, ofOurs.executionId);
    expect(end?.data['outcome']).toMatchObject({ reasonCode: 'transport.execution_failed', ours: true });
  });

  it('is not run on another account, of another version, or for another service', async () => {
    const before = asked.length;
    expect((await run(trial(), assertion())).status).toBe(403);
    expect((await run(trial({ toolVersion: tool.version + 1 }))).status).toBe(409);
    const id = newExecutionId(systemClock.nowMs());
    const path = '/internal/trial-calls';
    expect((await execution.internal('capability-routing', path, trial(), id, verification)).status).toBe(403);
    expect((await run({ ...trial(), parameters: 7 } as unknown as TrialCallRequest)).status).toBe(422);
    expect(asked).toHaveLength(before);
  });
});
