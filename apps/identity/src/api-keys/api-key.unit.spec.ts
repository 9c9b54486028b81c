import { describe, expect, it } from '@jest/globals';
import { isUsable } from './api-key.js';

const key = { accountStatus: 'active', expiresAt: null, revokedAt: null } as const;

describe('a stored key', () => {
  it('is usable while nothing speaks against it', () => {
    expect(isUsable(key, 1_000)).toBe(true);
    expect(isUsable({ ...key, expiresAt: new Date(1_001) }, 1_000)).toBe(true);
  });

  it('is not usable from the instant it expires', () => {
    expect(isUsable({ ...key, expiresAt: new Date(1_000) }, 1_000)).toBe(false);
  });

  it('is not usable once revoked', () => {
    expect(isUsable({ ...key, revokedAt: new Date(0) }, 1_000)).toBe(false);
  });

  it.each(['suspended', 'closed'] as const)('is not usable while its account is %s', (accountStatus) => {
    expect(isUsable({ ...key, accountStatus }, 1_000)).toBe(false);
  });
});
