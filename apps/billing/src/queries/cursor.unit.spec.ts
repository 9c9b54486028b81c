import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, MAX_CURSOR_CHARACTERS } from './cursor.js';

const scope = { feed: 'usage', accountId: 'acc_1', filters: { kind: 'call', success: undefined } };
const cursor = encodeCursor(scope, '12345');
const refusal = expect.objectContaining({ code: 'validation_error', httpStatus: 422 });

describe('a cursor', () => {
  it('leads back to its place, whatever filters were left out', () => {
    expect(decodeCursor(scope, cursor)).toBe('12345');
    expect(decodeCursor({ ...scope, filters: { kind: 'call' } }, cursor)).toBe('12345');
    expect(encodeCursor(scope, '9'.repeat(18)).length).toBeLessThan(MAX_CURSOR_CHARACTERS);
  });

  it.each([
    ['account', { ...scope, accountId: 'acc_2' }],
    ['feed', { ...scope, feed: 'settlements' }],
    ['filter', { ...scope, filters: { kind: 'discover' } }],
    ['filter more', { ...scope, filters: { kind: 'call', outcome: 'success' } }],
  ])('is refused with another %s', (_what, other) => {
    expect(() => decodeCursor(other, cursor)).toThrow(refusal);
  });

  it('is refused with any one character changed, left out or added', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const swapped = cursor[at] === 'A' ? 'B' : 'A';
      for (const middle of [swapped, '', `${cursor[at]}A`]) {
        const tampered = `${cursor.slice(0, at)}${middle}${cursor.slice(at + 1)}`;
        expect(() => decodeCursor(scope, tampered)).toThrow(refusal);
      }
    }
  });

  const forged = (text: string): string => Buffer.from(text, 'latin1').toString('base64url');
  it.each([
    '',
    '0',
    'next',
    '%00',
    '☃',
    `${cursor}=`,
    forged('1.12345'),
    forged(`2.12345.${'0'.repeat(32)}`),
    forged(`1.-1.${'0'.repeat(32)}`),
    forged(`1.99999999999999999999.${'0'.repeat(32)}`),
    forged('{"seq":1}'),
  ])('%p is none', (text) => {
    expect(() => decodeCursor(scope, text)).toThrow(refusal);
  });
});
