import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { topicNames, type TrialCallRequest, type TrialCallResponse } from '@capability-router/contracts';
import { readAfter, txOrderSql } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import type { JsonObject } from '@capability-router/kernel';
import { inTransaction, type ServiceClient, type ServiceClients } from '@capability-router/service-kit';
import { answerOf, newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { claimVerification, endVerification } from './verification.sql.js';

const described = sampleTool();
const properties = described.parametersSchema['properties'] as JsonObject;
const tool = sampleTool({
  parametersSchema: {
    ...described.parametersSchema,
    properties: { ...properties, to_code: { type: 'string', description: 'Code of the city to go to.' } },
  },
});
/** Its examples are run only where somebody asks for it. */
const unscheduled = sampleTool({
  toolId: 'acme.tide.predict.v1',
  providerId: 'acme',
  name: { en: 'Tides' },
  description: { en: 'High water at a harbour.' },
  capabilities: [],
  parametersSchema: { type: 'object', properties: { harbour: { type: 'string', description: 'The harbour.' } } },
  parameterDescriptionsZh: {},
  oneOfRequired: [],
  sampleParameters: { harbour: 'Dover' },
});
const acme = {
  providerId: 'acme',
  name: { en: 'Acme' },
  description: { en: 'Acme.' },
  verification: { runExamples: false },
};
const { toolId } = tool;
const operator = { ...newAccount(), scopes: ['admin'] };
const path = `/admin/v1/verifications/${toolId}`;
/** Milliseconds; some rounds of the service. */
const DEADLINE_MS = 60_000;
/** Less than the time after its start in which a replica runs nothing by the schedule alone. */
const MAX_ROUNDS_MS = 15_000;

/** Execution answers an example with this. */
let answer: TrialCallResponse;
const ran: TrialCallRequest[] = [];
const asksBeforeRuns: number[] = [];
const answered = (data: JsonObject) => ({
  httpStatus: 200,
  body: { success: true, result: { data }, execution_outcome: { reason_code: 'result.valid' } },
});
const execution: ServiceClient = {
  request: ({ body }) => {
    ran.push(JSON.parse(String(body)) as TrialCallRequest);
    asksBeforeRuns.push(asksForCredits);
    return Promise.resolve(answerOf(200, answer));
  },
};
/** Billing has heard of the account's credits at the third time that it is asked. */
let asksForCredits = 0;
const billing: ServiceClient = {
  request: () => {
    asksForCredits += 1;
    return Promise.resolve(answerOf(200, { availableMicroCredits: asksForCredits < 3 ? '0' : '1000000' }));
  },
};
/** Another replica had the account opened a moment ago. */
const identity: ServiceClient = { request: () => Promise.resolve(answerOf(200, { opened: false })) };

let registry: RunningRegistry;
beforeAll(async () => {
  const source = sampleSource({ tools: [tool, unscheduled] });
  registry = await RunningRegistry.start({ ...source, providers: [...source.providers, acme] }, {}, {
    execution,
    identity,
    billing,
  } as ServiceClients);
});
afterAll(() => registry.stop());
beforeEach(() => {
  ran.length = 0;
  answer = answered({ km: 878 });
});

async function verified(): Promise<Record<string, unknown>> {
  ran.length = 0;
  const request = await registry.post({ url: path, body: {}, account: operator });
  expect([request.status, request.body]).toMatchObject([202, { data: { tool_id: toolId, requested: true } }]);
  const end = performance.now() + DEADLINE_MS;
  const underWay = 'SELECT FROM tool_verifications WHERE requested OR claim_id IS NOT NULL';
  for (;;) {
    if (ran.length > 0 && (await registry.database.pool.query(underWay)).rows.length === 0) {
      const { body } = await registry.get({ url: path, account: operator });
      return body['data'] as Record<string, unknown>;
    }
    if (performance.now() > end) throw new Error('it was not verified');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function eventsOfTool(): Promise<readonly JsonObject[]> {
  await untilReadable(registry.database.pool);
  const { events } = await readAfter(registry.database.pool, '', 100, [topicNames.verifications]);
  expect(events.every(({ partitionKey, type }) => partitionKey === toolId && type === 'ToolVerificationRecorded')).toBe(
    true,
  );
  return events.map(({ data }) => data);
}

describe('a tool that an administrator has verified', () => {
  it('is shown as verified with its evidence, and an event tells it', async () => {
    const data = await verified();
    // No example runs before the account has its credits, whichever replica had it opened.
    expect(Math.min(...asksBeforeRuns)).toBe(3);
    expect(ran).toEqual([
      {
        toolId,
        toolVersion: 1,
        parameters: tool.sampleParameters,
        sessionId: expect.stringMatching(/^verification:geokit:\d{4}-\d\d-\d\d$/),
      },
    ]);
    expect(data).toMatchObject({
      verification: { status: 'verified', quality_issues: [] },
      evidence: { live_check: { calls: [{ execution_id: expect.stringMatching(/^exec_/), success: true }] } },
      failures_in_row: 0,
    });
    expect(await eventsOfTool()).toMatchObject([{ toolId, toolVersion: 1, policyVersion: '1' }]);
    const account = newAccount();
    const shown = { verification_status: 'verified', verification: { status: 'verified' } };
    const inspected = await registry.post({ url: '/api/v1/tools/by-ids', account, body: { tool_ids: [toolId] } });
    expect(inspected.body).toMatchObject({ results: [shown] });
    const found = await registry.post({ url: '/api/v1/search', account, body: { query: 'city distance', limit: 1 } });
    expect(found.body).toMatchObject({ results: [shown] });
    const probed = await registry.post({ url: `/api/v1/tools/probe?tool_id=${toolId}`, account, body: {} });
    expect(probed.body).toMatchObject(shown);
  });

  it('fails where results are not what they were, and says which check', async () => {
    answer = answered({ km: 'far' });
    expect(await verified()).toMatchObject({
      verification: {
        status: 'failed',
        checks: expect.arrayContaining([
          {
            name: 'schema',
            status: 'failed',
            reason: expect.stringContaining('$.km'),
            checked_at: expect.any(String),
            evidence_digest: expect.any(String),
          },
        ]),
      },
      failures_in_row: 1,
    });
    const { length } = await eventsOfTool();
    answer = answered({ km: 12.5 });
    expect(await verified()).toMatchObject({ verification: { status: 'failed' }, failures_in_row: 2 });
    answer = answered({ km: 12 });
    expect(await verified()).toMatchObject({ verification: { status: 'verified' }, failures_in_row: 0 });
    expect((await eventsOfTool()).length).toBe(length + 2);
  });

  it('stays what it was where the budget is used up: that says nothing of the tool', async () => {
    const { length } = await eventsOfTool();
    answer = { httpStatus: 402, body: { success: false, error_message: 'The budget of the key is used up.' } };
    expect(await verified()).toMatchObject({
      verification: { status: 'verified' },
      problem: 'The budget of the key is used up.',
    });
    expect(await eventsOfTool()).toHaveLength(length);
  });

  it('stays what it was where this deployment is too busy to run an example, and is tried again', async () => {
    const { length } = await eventsOfTool();
    const message = 'The tool runners are busy. Retry in a few seconds.';
    const outcome = { reason_code: 'transport.execution_failed', retryable: true };
    answer = {
      httpStatus: 200,
      body: { success: false, error_message: message, execution_outcome: outcome },
      ours: true,
    };
    expect(await verified()).toMatchObject({ verification: { status: 'verified' }, problem: message });
    expect(await eventsOfTool()).toHaveLength(length);
    // The same words of a provider are its own.
    answer = { httpStatus: answer.httpStatus, body: answer.body };
    expect(await verified()).toMatchObject({ verification: { status: 'failed' } });
    answer = answered({ km: 12 });
    expect(await verified()).toMatchObject({ verification: { status: 'verified' } });
  });

  it('is of no other caller to ask for, and no other tool has anything to show', async () => {
    expect((await registry.get({ url: path, account: newAccount() })).status).toBe(403);
    expect((await registry.post({ url: path, body: {}, account: newAccount() })).status).toBe(403);
    const none = await registry.get({ url: '/admin/v1/verifications/no.such.tool.v1', account: operator });
    expect(none.status).toBe(404);
  });
});

describe('a run', () => {
  const claim = (claimId: string, toolVersion = 1) =>
    claimVerification(registry.database.pool, { toolId: 'other.tool.x.v1', toolVersion, claimId });
  const ids = Array.from({ length: 6 }, (_, index) => `00000000-0000-7000-8000-00000000000${index}`);
  const end = (claimId: string) =>
    inTransaction(registry.database.pool, (tx) =>
      endVerification(tx, { toolId: 'other.tool.x.v1', claimId, failures: 0, nextAfterMs: 3_600_000 }),
    );

  it('is that of one replica at a time, is taken over when it was given up for dead, and then ends for nobody', async () => {
    const [first = '', ...others] = ids;
    expect(await claim(first)).toEqual({ failures: 0, observed: null });
    expect((await Promise.all(others.map((id) => claim(id)))).every((got) => got === undefined)).toBe(true);
    const lapse = "UPDATE tool_verifications SET claimed_until = now() - interval '1 s', next_due_at = now()";
    await registry.database.owner.query(`${lapse} WHERE tool_id = 'other.tool.x.v1'`);
    const got = await Promise.all(others.map(async (id) => ((await claim(id)) === undefined ? [] : [id])));
    const [second = '', ...more] = got.flat();
    expect([second !== '', more]).toEqual([true, []]);
    expect([await end(first), await end(second)]).toEqual([false, true]);
    // It is not due any more, unless the tool has changed.
    expect([await claim(first), await claim(first, 2)]).toEqual([undefined, { failures: 0, observed: null }]);
  });

  it('that an administrator had asked for is begun again when the replica that had begun it is gone', async () => {
    ran.length = 0;
    const asked = unscheduled.toolId;
    // A run that was asked for looks so from its begin on.
    await claimVerification(registry.database.pool, { toolId: asked, toolVersion: 1, claimId: ids[0] ?? '' });
    await registry.database.owner.query(
      `UPDATE tool_verifications SET claimed_until = now() - interval '1 s', next_due_at = now() - interval '1 s',
              change_order = ${txOrderSql('change_order')} WHERE tool_id = $1`,
      [asked],
    );
    const end = performance.now() + MAX_ROUNDS_MS;
    while (!ran.some((request) => request.toolId === asked)) {
      if (performance.now() > end) throw new Error('nobody began it again');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
