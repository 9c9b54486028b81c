import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { isJsonObject, ManualClock } from '@capability-router/kernel';
import { RunningIdentity } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
});
afterAll(() => identity.stop());
beforeEach(() => {
  identity.billing.hasBooked = true;
  identity.billing.asked.length = 0;
  identity.billing.questions = 0;
});

async function dataOf(url: string, body: object): Promise<Record<string, unknown>> {
  const answer = await identity.call({ method: 'POST', url, body, account: admin, clientAddress: '192.0.2.7' });
  const { data } = answer.body;
  if (answer.status >= 300 || !isJsonObject(data)) throw new Error(JSON.stringify(answer));
  return data;
}

const openings: readonly [string, () => Promise<Record<string, unknown>>][] = [
  ['an account', () => dataOf('/admin/v1/accounts', { kind: 'formal', name: 'a', initial_credits: 5 })],
  ['a trial', () => dataOf('/api/v1/agent/anonymous-register', { agent_name: 'a' })],
];

describe.each(openings)('%s', (_what, open) => {
  it('is answered once its credits are booked, and says nothing of it', async () => {
    identity.billing.hasBooked = false;
    const opening = open();
    while (identity.billing.asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    identity.billing.hasBooked = true;
    const data = await opening;
    expect(data).not.toHaveProperty('credits_ready');
    expect(new Set(identity.billing.asked)).toEqual(new Set([data['account_id']]));
  });

  it('is answered all the same where they are not booked in time, and says that they are on their way', async () => {
    identity.billing.hasBooked = false;
    expect(await open()).toMatchObject({ credits_ready: false });
  });
});

it('many are asked about together, each answered when its own are booked', async () => {
  identity.billing.hasBooked = false;
  const opening = Array.from({ length: 30 }, () => dataOf('/admin/v1/accounts', { kind: 'formal', name: 'a' }));
  while (identity.billing.asked.length < 60) await new Promise((resolve) => setTimeout(resolve, 5));
  identity.billing.hasBooked = true;
  const opened = await Promise.all(opening);
  expect(opened.filter((data) => 'credits_ready' in data)).toEqual([]);
  expect(new Set(identity.billing.asked)).toEqual(new Set(opened.map((data) => data['account_id'])));
  expect(identity.billing.questions).toBeLessThan(identity.billing.asked.length / 3);
});

it('an account without credits waits for nothing', async () => {
  const body = { kind: 'formal', name: 'poor', initial_credits: 0 };
  expect(await dataOf('/admin/v1/accounts', body)).not.toHaveProperty('credits_ready');
  expect(identity.billing.asked).toEqual([]);
});
