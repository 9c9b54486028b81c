import { describe, expect, it } from '@jest/globals';
import { open, seal, UnreadableCredentialError, type SealedPlace } from './seal.js';
import { parseSealingKeys } from './sealing-keys.js';

const hex = (byte: string): string => byte.repeat(32);
const keys = parseSealingKeys(`k1:${hex('a1')}`);
const place: SealedPlace = { ownerId: 'deployment', providerId: 'weather', field: 'token', revision: 'r1' };
const openAt = (over: Partial<SealedPlace>, sealed: string): string => open(keys, 'k1', { ...place, ...over }, sealed);

describe('a sealed value', () => {
  it.each(['sesame', '', 'x'.repeat(8_192), 'ümläut ✓'])(
    'opens where it belongs, and tells nothing of itself',
    (value) => {
      const sealed = seal(keys, place, value);
      expect(openAt({}, sealed)).toBe(value);
      if (value !== '') expect(Buffer.from(sealed, 'base64').includes(value)).toBe(false);
    },
  );

  it('is another each time', () => {
    expect(seal(keys, place, 'sesame')).not.toBe(seal(keys, place, 'sesame'));
  });

  it.each<[string, Partial<SealedPlace>]>([
    ['another tenant', { ownerId: 'acc_0' }],
    ['another provider', { providerId: 'weathe' }],
    ['another field', { field: 'api_key' }],
    ['another credential of the same place', { revision: 'r2' }],
    ['a place whose names only run together to the same text', { ownerId: 'deploymentw', providerId: 'eather' }],
  ])('does not open in the row of %s', (_name, over) => {
    const sealed = seal(keys, place, 'sesame');
    expect(() => openAt(over, sealed)).toThrow(UnreadableCredentialError);
    expect(() => openAt(over, sealed)).toThrow('not authentic');
  });

  it('does not open where a single bit of it was changed, or where it was cut', () => {
    const bytes = Buffer.from(seal(keys, place, 'sesame'), 'base64');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openAt({}, changed.toString('base64'))).toThrow('not authentic');
      expect(() => openAt({}, bytes.subarray(0, index).toString('base64'))).toThrow('not authentic');
    }
  });

  it('opens with the key that sealed it, while that is known, and with no other of that name', () => {
    const sealed = seal(keys, place, 'sesame');
    const rotated = parseSealingKeys(`k2:${hex('b2')},k1:${hex('a1')}`);
    expect(rotated.currentId).toBe('k2');
    expect(open(rotated, 'k1', place, sealed)).toBe('sesame');
    expect(() => open(rotated, 'k2', place, sealed)).toThrow('not authentic');
    expect(() => open(parseSealingKeys(`k2:${hex('b2')}`), 'k1', place, sealed)).toThrow('not configured here');
    expect(() => open(parseSealingKeys(`k1:${hex('c3')}`), 'k1', place, sealed)).toThrow('not authentic');
  });
});

describe('sealing keys', () => {
  it('are read from one line or many, in hex or base64, the current one first', () => {
    const base64 = Buffer.alloc(32, 7).toString('base64');
    const read = parseSealingKeys(`# of March\n k2:${base64}\n\nk1:${hex('A1')},k0:${base64.replace('=', '')}\n`);
    expect(read.currentId).toBe('k2');
    expect(['k2', 'k1', 'k0', 'k3'].map((id) => read.find(id)?.symmetricKeySize)).toEqual([32, 32, 32, undefined]);
  });

  it.each([
    ['', 'names no key'],
    [hex('a1'), 'entry 1 has no id'],
    [`k1:${hex('a1')},:${hex('a1')}`, 'entry 2 has no id'],
    [`k1:${hex('a1').slice(2)}`, 'the key "k1" is not 32 bytes'],
    [`k1:${hex('a1')},k1:${hex('b2')}`, 'the key "k1" twice'],
    [Array.from({ length: 33 }, (_, index) => `k${index}:${hex('a1')}`).join(), 'more than 32 keys'],
  ])('that cannot be read are refused without being repeated', (text, message) => {
    const read = (): unknown => parseSealingKeys(text);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/a1a1|b2b2/);
  });
});
