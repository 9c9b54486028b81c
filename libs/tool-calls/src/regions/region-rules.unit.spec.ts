import { describe, expect, it } from '@jest/globals';
import { regionAllows } from './region-rules.js';

describe('the region of a tool', () => {
  it.each([
    [undefined, 'CN', true],
    ['global', 'CN', true],
    ['US|CA', 'CA', true],
    ['US|CA', 'us', true],
    ['US|CA', 'CN', false],
    ['-CN', 'CN', false],
    ['-CN|-RU', 'US', true],
    ['-CN|-RU', 'RU', false],
    ['global|-CN', 'US', true],
    ['global|-CN', 'CN', false],
    ['US', undefined, false],
    ['US|-CN', undefined, false],
    ['-CN|-RU', undefined, true],
    ['global|-CN', undefined, true],
    [undefined, undefined, true],
    ['-', undefined, true],
    ['', undefined, true],
  ])('%s: an account in %s may call it: %s', (rule, region, allowed) => {
    expect(regionAllows(rule, region)).toBe(allowed);
  });
});
