import { describe, expect, it } from '@jest/globals';
import { toEvent, type Discovery } from './discovery.js';
import { keepablePayload, keepableText, MAX_KEPT_CHARACTERS } from './request-payload.js';

const discovery: Discovery = {
  kind: 'search',
  usageEventId: '0199c000-0000-7000-8000-000000000001',
  searchId: 'srch_0199c0000000700080000000000000001',
  account: { accountId: 'acc_1', accountKind: 'formal', credentialType: 'api_key', apiKeyId: 'key', scopes: [] },
  query: 'distance',
  requestPayload: { query: 'distance' },
  requestedCount: 0,
  toolIds: ['a.b.c.v1'],
  durationMs: 1.598,
  completedAt: '2026-01-01T00:00:00.000Z',
  requestId: 'req-1',
};

describe('event of a discovery', () => {
  it('holds hash and length of the query, never the query', () => {
    const event = toEvent(discovery);
    expect(event).toMatchObject({
      type: 'ToolsSearched',
      topic: 'internal.registry.searches.v1',
      partitionKey: 'acc_1',
      correlationId: 'req-1',
      data: { success: true, httpStatusCode: 200, resultCount: 1, durationMs: 1.6, queryCharacters: 8 },
    });
    expect(JSON.stringify(event)).not.toContain('distance');
  });

  it('of a refusal says so', () => {
    const { data } = toEvent({ ...discovery, toolIds: [], refusal: { message: 'bad', httpStatusCode: 422 } });
    expect(data).toMatchObject({
      success: false,
      reasonCode: 'validation_error',
      errorMessage: 'bad',
      httpStatusCode: 422,
    });
  });

  it('of an inspection counts what was asked for', () => {
    const event = toEvent({ ...discovery, kind: 'inspect', requestedCount: 3 });
    expect(event).toMatchObject({ type: 'ToolsInspected', data: { requestedCount: 3, resultCount: 1 } });
    expect(event.data).not.toHaveProperty('queryHash');
  });
});

describe('what is kept of a request', () => {
  it('is the named members, without nesting, whatever the caller sent', () => {
    const body = { query: 'x', limit: 5, view: null, deep: { a: 1 }, tool_ids: ['a', { b: 1 }, 2], extra: 'no' };
    expect(keepablePayload(body, ['query', 'limit', 'view', 'deep', 'tool_ids'])).toEqual({
      query: 'x',
      limit: 5,
      view: null,
      tool_ids: ['a', 2],
    });
    expect(keepablePayload('text', ['query'])).toEqual({});
  });

  it('can be stored: no control characters, no half surrogate pairs, bounded', () => {
    expect(keepableText('a\0b\ud800c\td')).toBe('a\uFFFDb\uFFFDc\td');
    expect(keepableText('x'.repeat(10_000))).toHaveLength(MAX_KEPT_CHARACTERS);
  });
});
