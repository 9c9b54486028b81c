import { describe, expect, it } from '@jest/globals';
import { newAccount, newKey } from './support/accounts.js';
import { call, type Reply } from './support/http.js';
import { toldError } from './support/told-error.js';

const LIMIT_PER_MINUTE = 120;
const PARALLEL = 10;
const MAX_ATTEMPTS = 6;

const header = (reply: Reply, name: string): number => Number(reply.headers.get(name) ?? 'absent');

/** `count` requests, a few at a time, with the keys in turn. */
async function inspections(keys: readonly string[], count: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  while (replies.length < count) {
    const batch = Array.from({ length: Math.min(PARALLEL, count - replies.length) }, (_, index) =>
      call('POST', '/tools/by-ids', { key: keys[index % keys.length] ?? '', body: { tool_ids: ['a.b.c.v1'] } }),
    );
    replies.push(...(await Promise.all(batch)));
  }
  return replies;
}

/**
 * Replies that all fell into one window, so that they can be counted; others where the window ended meanwhile, or where
 * the shared limiter kept a replica of a busy machine waiting so long that it counted for itself for a moment.
 */
async function withinOneWindow(count: number): Promise<Reply[]> {
  for (let attempt = 1; ; attempt += 1) {
    const account = await newAccount();
    const second = await newKey(account.accountId);
    const replies = await inspections([account.key, second.key], count);
    const ends = replies.map((reply) => header(reply, 'x-ratelimit-reset'));
    // The end of one window is told in whole seconds, rounded anew each time.
    if (Math.max(...ends) - Math.min(...ends) <= 1 || attempt === MAX_ATTEMPTS) return replies;
  }
}

describe('the rate limit of Inspect', () => {
  it('lets 120 a minute of one account through, counted over both of its keys, and answers 429 to the rest', async () => {
    const replies = await withinOneWindow(LIMIT_PER_MINUTE + PARALLEL);
    const passed = replies.filter((reply) => reply.status === 200);
    const limited = replies.filter((reply) => reply.status === 429);
    expect([passed.length, limited.length]).toEqual([LIMIT_PER_MINUTE, PARALLEL]);

    const nowSeconds = Date.now() / 1000;
    for (const reply of replies) {
      expect(header(reply, 'x-ratelimit-limit')).toBe(LIMIT_PER_MINUTE);
      expect(Number.isInteger(header(reply, 'x-ratelimit-reset'))).toBe(true);
      expect(Math.abs(header(reply, 'x-ratelimit-reset') - nowSeconds)).toBeLessThanOrEqual(120);
    }
    const remaining = passed.map((reply) => header(reply, 'x-ratelimit-remaining')).sort((a, b) => b - a);
    expect(remaining).toEqual(Array.from({ length: LIMIT_PER_MINUTE }, (_, index) => LIMIT_PER_MINUTE - 1 - index));
    for (const reply of limited) {
      expect(reply.json).toEqual({
        status: 'failure',
        status_code: 429,
        message: expect.stringMatching(/\S/),
        data: null,
        ...toldError('rate_limited'),
        retry_after_seconds: header(reply, 'retry-after'),
      });
      expect(header(reply, 'x-ratelimit-remaining')).toBe(0);
      expect(header(reply, 'retry-after')).toBeGreaterThanOrEqual(1);
      expect(header(reply, 'retry-after')).toBeLessThanOrEqual(60);
    }
  });

  it('leaves other accounts alone', async () => {
    const [busy, other] = [await newAccount(), await newAccount()];
    await inspections([busy.key], LIMIT_PER_MINUTE + 1);
    const reply = await call('POST', '/tools/by-ids', { key: other.key, body: { tool_ids: ['a.b.c.v1'] } });
    expect(reply.status).toBe(200);
  });

  it('tells Call, with its own bucket, its own limit', async () => {
    const account = await newAccount();
    const reply = await call('POST', '/tools/execute', { key: account.key, body: { parameters: {} } });
    expect(header(reply, 'x-ratelimit-limit')).toBe(200);
    const inspect = await call('POST', '/tools/by-ids', { key: account.key, body: { tool_ids: ['a.b.c.v1'] } });
    expect(header(inspect, 'x-ratelimit-remaining')).toBe(LIMIT_PER_MINUTE - 1);
  });
});
