import { describe, expect, it } from '@jest/globals';
import { isSecret, receivedOf } from './received.js';

describe('what an error tells of what was sent', () => {
  it.each([
    ['limit', 0, 0],
    ['limit', Infinity, 'number beyond ±1.79e308'],
    ['summary', false, false],
    ['name', null, null],
    ['name', undefined, undefined],
    ['view', 'wide', 'wide'],
    ['name', 'x'.repeat(61), 'text of 61 characters'],
    ['tool_ids', [1, 2], 'list of 2 items'],
    ['parameters', { a: 1 }, 'object of 1 members'],
  ])('is short: %s as %j', (name, value, told) => {
    expect(receivedOf(name, value)).toBe(told);
  });

  it.each([
    'api_key',
    'apiKey',
    'token',
    'access_token',
    'client_secret',
    'password',
    'code',
    'claim_code',
    'authorization',
  ])('is never a secret: %s', (name) => {
    expect(receivedOf(name, 'hunter2')).toBe('(not shown)');
    expect(receivedOf(name, 123_456)).toBe('(not shown)');
  });

  it.each([
    `sk-${'a'.repeat(40)}`,
    `Bearer sk-${'a'.repeat(40)}`,
    'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    'ghp_0123456789abcdef',
  ])('is no key or token that stands elsewhere: %s', (value) => expect(receivedOf('query', value)).toBe('(not shown)'));

  it('has no half of a character, which JSON readers of other languages refuse', () => {
    expect(receivedOf('session_id', 'a\ud800b')).toBe('a\uFFFDb');
    expect(receivedOf('session_id', 'a\ud83d\ude00b\udc00')).toBe('a\ud83d\ude00b\uFFFD');
  });

  it('is what is no secret, however it is called', () => {
    for (const [name, value] of [
      ['api_key_id', '1'],
      ['country_code', 'XX'],
      ['tokens', 7],
      ['query', 'a task-oriented tool'],
    ])
      expect(isSecret(name, value)).toBe(false);
  });
});
