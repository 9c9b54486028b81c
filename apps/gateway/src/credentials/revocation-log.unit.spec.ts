import { describe, expect, it } from '@jest/globals';
import { RevocationLog } from './revocation-log.js';

describe('the revocation log', () => {
  it('treats everything in flight as outdated when it has to forget', () => {
    const log = new RevocationLog(2);
    const before = log.now();
    log.record('a');
    log.record('b');
    const between = log.now();
    log.record('c');
    expect(log.revokedSince(before, 'x')).toBe(true);
    expect(log.revokedSince(between, 'x')).toBe(true);
    expect(log.revokedSince(log.now(), 'a', 'b', 'c', undefined)).toBe(false);
  });
});
