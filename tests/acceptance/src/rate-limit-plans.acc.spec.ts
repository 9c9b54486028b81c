import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { admin, newAccount } from './support/accounts.js';
import { call, type Reply } from './support/http.js';

/** Replicas take requests in turn, so that each of two answers half of them. */
const REQUESTS = 4;
const MAX_ATTEMPTS = 4;

const header = (reply: Reply, name: string): number => Number(reply.headers.get(name) ?? 'absent');
const inspect = (key: string): Promise<Reply> =>
  call('POST', '/tools/by-ids', { key, body: { tool_ids: ['a.b.c.v1'] } });

/** Until each gateway has confirmed, which an answer without `pending` says. */
async function confirmed(path: string, body: unknown): Promise<void> {
  for (let attempt = 1; (await admin('PUT', path, body))['pending'] === true; attempt += 1) {
    expect(attempt).toBeLessThan(MAX_ATTEMPTS);
  }
}

async function inspections(key: string, count: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  while (replies.length < count) replies.push(await inspect(key));
  return replies;
}
const limits = (replies: readonly Reply[]): number[] => replies.map((reply) => header(reply, 'x-ratelimit-limit'));

describe('the rate-limit plan of an account', () => {
  it('holds on every replica once that is answered, and each change of it, in the window that goes on', async () => {
    const plan = `acceptance-${randomUUID().slice(0, 8)}`;
    const { accountId, key } = await newAccount();
    expect(limits(await inspections(key, REQUESTS))).toEqual(Array(REQUESTS).fill(120));

    await confirmed(`/rate-limit-plans/${plan}`, { per_minute: { inspect: 50 } });
    await confirmed(`/accounts/${accountId}/rate-limit-plan`, { plan });
    const planned = await inspections(key, REQUESTS);
    expect(limits(planned)).toEqual(Array(REQUESTS).fill(50));
    const other = await call('POST', '/search', { key, body: { query: 'weather' } });
    expect(header(other, 'x-ratelimit-limit')).toBe(120);

    await confirmed(`/rate-limit-plans/${plan}`, { per_minute: { inspect: 1 } });
    const limited = await inspections(key, REQUESTS);
    expect(limits(limited)).toEqual(Array(REQUESTS).fill(1));
    // The count of the window goes on; where the window has just ended, or a replica counts for itself, one may pass.
    expect(limited.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(REQUESTS - 2);
    expect(limited.at(-1)?.json).toMatchObject({ status: 'failure', status_code: 429 });

    await expect(admin('DELETE', `/rate-limit-plans/${plan}`)).rejects.toThrow('409');
    await confirmed(`/accounts/${accountId}/rate-limit-plan`, { plan: null });
    expect(limits(await inspections(key, REQUESTS))).toEqual(Array(REQUESTS).fill(120));
    await admin('DELETE', `/rate-limit-plans/${plan}`);
  });
});
