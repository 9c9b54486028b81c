import { describe, expect, it } from '@jest/globals';
import { faultOfKey, fingerprintOf } from './idempotency-key.js';

const body = { tool_id: 'a.b.c.v1', parameters: { x: 1, y: [1, 2] } };

describe('the fingerprint of a request', () => {
  it('is the same however the tool is named and the members are ordered', () => {
    const { tool_id: toolId, parameters } = body;
    const same = [
      fingerprintOf([], { parameters: { y: [1, 2], x: 1 }, tool_id: toolId }),
      fingerprintOf([toolId], { parameters }),
      fingerprintOf([toolId, toolId], body),
      fingerprintOf([''], body),
      fingerprintOf([], { ...body, session_id: 's', search_id: null, model: 'm' }),
    ];
    expect(new Set([fingerprintOf([], body), ...same]).size).toBe(1);
  });

  it('is another for anything else that the body says', () => {
    const others = [
      body,
      { ...body, parameters: { x: 1, y: [2, 1] } },
      { ...body, parameters: { x: '1', y: [1, 2] } },
      { ...body, max_response_size: 20_480 },
      { ...body, max_response_size: -1 },
      { ...body, respond_with: 'summary' },
      { ...body, max_credits: 1 },
      { ...body, unknown: null },
      { ...body, tool_id: 'a.b.d.v1' },
      { parameters: body.parameters },
      JSON.parse('{"tool_id":"a.b.c.v1","parameters":{"x":1,"y":[1,2],"__proto__":{"z":1}}}'),
      [body],
      'text',
      null,
    ];
    expect(new Set(others.map((other) => fingerprintOf([], other))).size).toBe(others.length);
  });
});

describe('a key', () => {
  it('has 1 to 255 visible ASCII characters', () => {
    const loc = ['header', 'Idempotency-Key'];
    for (const key of ['a', '!', '~', 'k'.repeat(255), 'a,b', '"quoted"']) expect(faultOfKey(key, loc)).toBeUndefined();
    for (const key of ['', ' ', 'a b', 'a, b', 'é', 'k'.repeat(256), 'a\n', 'a\u007f', ['a', 'b'], 7]) {
      expect(faultOfKey(key, loc)).toMatchObject({ type: 'value_error', loc });
    }
    expect(faultOfKey(undefined, loc)).toMatchObject({ type: 'missing' });
  });
});
