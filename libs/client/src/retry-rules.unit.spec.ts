import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RETRY } from './options.js';
import { repeatable, retryAfterMsOf, waitBeforeNext, type Repeatable, type Setback } from './retry-rules.js';

const limits = { ...DEFAULT_RETRY, maxRetries: 3, maxWaitMs: 5_000, maxTotalMs: 20_000 };
const wait = (setback: Setback, may: Repeatable, { attempts = 1, elapsedMs = 0, random = 0 } = {}) =>
  waitBeforeNext(setback, may, attempts, limits, elapsedMs, random);

describe('what may be sent again', () => {
  it.each([
    ['POST', '/tools/execute', 'key', 'always'],
    ['POST', '/tools/execute', undefined, 'never'],
    ['POST', '/capabilities/query', 'key', 'always'],
    ['POST', '/capabilities/query', undefined, 'never'],
    ['GET', '/auth/credits', undefined, 'always'],
    ['PUT', '/auth/provider-credentials/{provider_id}', undefined, 'always'],
    ['DELETE', '/auth/api-keys/{api_key_id}', undefined, 'always'],
    ['POST', '/tools/probe', undefined, 'always'],
    // A search may be billed, and a key is made once for each request.
    ['POST', '/search', undefined, 'where_refused'],
    ['POST', '/auth/api-keys', undefined, 'where_refused'],
    ['PATCH', '/auth/projects/{project_id}', undefined, 'where_refused'],
  ] as const)('%s %s with the key %s: %s', (method, path, key, may) => {
    expect(repeatable(method, path, key)).toBe(may);
  });
});

describe('the wait before the next attempt', () => {
  it.each([429, 503])('of %s is what the router says, spread a little, and never less', (status) => {
    for (const may of ['always', 'where_refused'] as const) {
      expect(wait({ status, retryAfterMs: 2_000 }, may)).toBe(2_000);
      expect(wait({ status, retryAfterMs: 2_000 }, may, { random: 1 })).toBe(2_250);
    }
    // At the longest wait that is allowed, what is added is cut and what is told is not.
    expect(wait({ status, retryAfterMs: 5_000 }, 'always', { random: 1 })).toBe(5_000);
  });

  it('is none where the router asks for longer than the caller waits, or there is no time left', () => {
    expect(wait({ status: 429, retryAfterMs: 5_001 }, 'always')).toBeUndefined();
    expect(wait({ status: 429, retryAfterMs: 2_000 }, 'always', { elapsedMs: 18_001 })).toBeUndefined();
    expect(wait({ status: 429, retryAfterMs: 2_000 }, 'always', { elapsedMs: 18_000 })).toBe(2_000);
  });

  it('is none after the last attempt', () => {
    expect(wait({}, 'always', { attempts: 3 })).toBeDefined();
    expect(wait({}, 'always', { attempts: 4 })).toBeUndefined();
  });

  it('of a lost connection grows, and there is one only where doing it twice is doing it once', () => {
    expect([1, 2, 3].map((attempts) => wait({}, 'always', { attempts, random: 1 }))).toEqual([250, 500, 1_000]);
    expect(wait({}, 'always', { random: 0 })).toBe(125);
    expect([wait({}, 'where_refused'), wait({}, 'never')]).toEqual([undefined, undefined]);
  });

  it('of 429 and 503 without Retry-After is none where what stands before the router may not know what became of it', () => {
    expect(wait({ status: 503 }, 'where_refused')).toBeUndefined();
    expect(wait({ status: 503 }, 'always', { random: 1 })).toBe(250);
  });

  it('of 409 is for a call that still runs, and no other conflict', () => {
    expect(wait({ status: 409, retryAfterMs: 1_000 }, 'always')).toBe(1_000);
    expect(wait({ status: 409, retryAfterMs: 0 }, 'always', { attempts: 3, random: 1 })).toBe(1_000);
    expect(wait({ status: 409 }, 'always')).toBeUndefined();
    expect(wait({ status: 409, retryAfterMs: 1_000 }, 'where_refused')).toBeUndefined();
  });

  it.each([400, 401, 402, 403, 404, 422, 500, 502, 504])('of %s is none: that is the answer', (status) => {
    expect(wait({ status, retryAfterMs: 1_000 }, 'always')).toBeUndefined();
  });

  it('is never one for what may not be sent again', () => {
    for (const status of [409, 429, 503]) expect(wait({ status, retryAfterMs: 0 }, 'never')).toBeUndefined();
  });
});

it('reads Retry-After as seconds and as a date', () => {
  const nowMs = Date.parse('2026-11-25T12:00:00Z');
  const read = (value: string) => retryAfterMsOf(new Headers({ 'retry-after': value }), nowMs);
  expect(
    ['3', ' 0 ', 'Wed, 25 Nov 2026 12:00:07 GMT', 'Wed, 25 Nov 2026 11:00:00 GMT', 'soon', '-1'].map(read),
  ).toEqual([3_000, 0, 7_000, 0, undefined, undefined]);
  expect(retryAfterMsOf(new Headers(), nowMs)).toBeUndefined();
});
