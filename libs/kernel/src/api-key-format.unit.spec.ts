import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { API_KEY_SECRET_LENGTH, BASE62, formatApiKey, isWellFormedApiKey, maskApiKey } from './api-key-format.js';

const newKey = (): string =>
  formatApiKey(Array.from({ length: API_KEY_SECRET_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join(''));

describe('the format of API keys', () => {
  it('carries at least 160 random bits and at least 32 characters after its prefix', () => {
    expect(API_KEY_SECRET_LENGTH * Math.log2(BASE62.length)).toBeGreaterThanOrEqual(160);
    expect(newKey()).toMatch(/^sk-[0-9A-Za-z]{32,}$/);
  });

  it('accepts every key that is issued', () => {
    for (let round = 0; round < 1_000; round += 1) expect(isWellFormedApiKey(newKey())).toBe(true);
  });

  it('refuses a key with any single character changed', () => {
    const key = newKey();
    for (let place = 0; place < key.length; place += 1) {
      const other = key[place] === 'a' ? 'b' : 'a';
      expect(isWellFormedApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
    }
  });

  it.each([
    '',
    'sk-',
    'sk-proj-0123456789012345678901234567890123',
    ` ${newKey()}`,
    `${newKey()}\n`,
    newKey().slice(0, -1),
  ])('refuses %j', (text) => expect(isWellFormedApiKey(text)).toBe(false));

  it('refuses a secret of another length or alphabet', () => {
    expect(() => formatApiKey('short')).toThrow(RangeError);
    expect(() => formatApiKey('-'.repeat(API_KEY_SECRET_LENGTH))).toThrow(RangeError);
  });

  it('never changes the checksum of a secret, or issued keys would stop working', () => {
    expect(formatApiKey('0123456789ABCDEFGHIJKLMNOPQR')).toBe('sk-0123456789ABCDEFGHIJKLMNOPQR3UI7Uu');
  });

  it('shows four characters at each end of a masked key', () => {
    expect(maskApiKey('sk-abcdEFGHijklmnopqrstuvwxyz')).toBe('sk-abcd…wxyz');
  });
});
