import { describe, expect, it } from '@jest/globals';
import type { CapabilityManifest } from '@capability-router/contracts';
import { hashCapability } from '../../contracts/hash-capability.js';
import { sampleCapability } from '../../test-support/sample-capability.js';
import { planChange, type WantedChange } from './plan-change.js';

const wanted = (over: Partial<CapabilityManifest> = {}, more: Partial<WantedChange> = {}): WantedChange => ({
  ...hashCapability(sampleCapability(over)),
  allowsBreaking: false,
  ...more,
});
const before = hashCapability(sampleCapability());
const live = {
  contract: { ...before.manifest, contractVersion: 3, schemaHash: before.schemaHash },
  contractVersion: 3,
  schemaHash: before.schemaHash,
  source: 'builtin' as const,
  retired: false,
};
const breaking = { effect: 'unsafe' as const };

describe('a contract that an administrator wrote', () => {
  it('is the first, or the next', () => {
    expect(planChange(wanted(), undefined)).toMatchObject({ result: 'created', contract: { contractVersion: 1 } });
    const renamed = planChange(wanted({ name: { en: 'How far' } }), live);
    expect(renamed).toMatchObject({ result: 'changed', contract: { contractVersion: 4 }, diff: { breaking: false } });
  });

  it('stays as it was where nothing changed, also where it was written for an older one', () => {
    expect(planChange(wanted(), live)).toEqual({ kind: 'keep', contract: live.contract });
    expect(planChange(wanted({}, { replaces: '0'.repeat(64) }), live)).toMatchObject({ kind: 'keep' });
  });

  it('is refused where it breaks callers and may not, with what would break them', () => {
    const plan = planChange(wanted(breaking), live);
    expect(plan).toMatchObject({ kind: 'refuse', diff: { breaking: true } });
    expect(plan).toHaveProperty(
      'message',
      expect.stringMatching(/^The change breaks callers \(effect: .+allow_breaking/),
    );
    const meant = planChange(wanted(breaking, { allowsBreaking: true }), live);
    expect(meant).toMatchObject({ result: 'changed', contract: { contractVersion: 4, effect: 'unsafe' } });
  });

  it.each([
    ['another contract is there than was looked at', wanted({ name: { en: 'x' } }, { replaces: 'a'.repeat(64) }), live],
    ['there is none yet to be replaced', wanted({}, { replaces: before.schemaHash }), undefined],
    ['it is retired', wanted({ name: { en: 'x' } }), { ...live, retired: true }],
    ['it is retired and as it was', wanted(), { ...live, retired: true }],
  ])('is refused where %s', (_what, change, known) => {
    expect(planChange(change, known)).toMatchObject({ kind: 'refuse' });
    expect(
      planChange({ ...change, replaces: known?.schemaHash }, known && { ...known, retired: false }),
    ).not.toMatchObject({
      kind: 'refuse',
    });
  });
});
