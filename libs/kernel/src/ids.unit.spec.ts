import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isUuid, uuidOfName } from './ids.js';

describe('the UUID of a name', () => {
  it('is the beginning of its SHA-256, with version 8 and the variant of RFC 9562', () => {
    // The SHA-256 of "abc" begins with ba7816bf 8f01cfea 414140de 5dae2223 (FIPS 180-2, appendix B.1).
    expect(uuidOfName('abc')).toBe('ba7816bf-8f01-8fea-8141-40de5dae2223');
  });

  it('is well-formed for any name', () => {
    const valid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(fc.property(fc.string(), (name) => isUuid(uuidOfName(name)) && valid.test(uuidOfName(name))));
  });
});
