import { describe, expect, it } from '@jest/globals';
import { dueTools, type DuePolicy, type VerifiableTool } from './due-tools.js';
import type { KnownVerification } from './known-verification.js';

const NOW_MS = 1_000_000;
const policy: DuePolicy = { intervalMs: 3_600_000, nowMs: NOW_MS, limit: 10, random: () => 0 };
const toolOf = (name: string): VerifiableTool => ({
  toolId: `geokit.distance.${name}.v1`,
  version: 2,
  runsExamples: true,
});
const state = (over: Partial<KnownVerification> = {}): KnownVerification => ({
  requested: false,
  triedVersion: 2,
  claimedUntilMs: 0,
  nextDueMs: NOW_MS + 1,
  verdict: undefined,
  isUnjudged: false,
  ...over,
});
/** By what follows `geokit.distance.` in their ids. */
function due(states: Readonly<Record<string, KnownVerification | undefined>>, over: Partial<DuePolicy> = {}): string[] {
  const known = (toolId: string) => states[toolId.split('.')[2] ?? ''];
  const tools = Object.keys(states).map((name) => toolOf(name));
  return dueTools(tools, known, { ...policy, ...over }).map(({ toolId }) => toolId.split('.')[2] ?? '');
}

/** A linear congruential generator: the same draws in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe('the tools that are verified now', () => {
  it.each<[string, KnownVerification | undefined, boolean]>([
    ['was never tried', undefined, true],
    ['was tried in another version', state({ triedVersion: 1 }), true],
    ['is due this moment', state({ nextDueMs: NOW_MS }), true],
    ['is due later', state(), false],
    ['is tried by another replica', state({ nextDueMs: 0, claimedUntilMs: NOW_MS + 1 }), false],
    ['was claimed by a replica that is gone', state({ nextDueMs: 0, claimedUntilMs: NOW_MS }), true],
    ['somebody asked for', state({ requested: true }), true],
    ['somebody asked for and another replica tries', state({ requested: true, claimedUntilMs: NOW_MS + 1 }), false],
  ])('have one that %s, where that makes it due', (_what, known, isDue) => {
    expect(due({ one: known })).toEqual(isDue ? ['one'] : []);
  });

  it('are those alone that were asked for where there is no schedule, and they come first where there is one', () => {
    const states = { never: undefined, asked: state({ requested: true }) };
    expect(due(states, { intervalMs: 0 })).toEqual(['asked']);
    expect(due(states, { limit: 1 })).toEqual(['asked', 'never']);
    const unjudged = { soon: state({ isUnjudged: true }), now: state({ isUnjudged: true, nextDueMs: NOW_MS }) };
    expect(due(unjudged, { intervalMs: 0 })).toEqual(['now']);
    const begun = {
      tried: state({ nextDueMs: NOW_MS + 1, claimedUntilMs: NOW_MS + 1 }),
      left: state({ nextDueMs: NOW_MS, claimedUntilMs: NOW_MS }),
    };
    expect(due(begun, { intervalMs: 0 })).toEqual(['left']);
    const many = Array.from({ length: 40 }, (_, index) => [`n${index}`, state({ requested: true })]);
    expect(due(Object.fromEntries(many))).toHaveLength(32);
  });

  it('have one whose examples may not be run only where somebody asked for it', () => {
    const tool = { ...toolOf('one'), runsExamples: false };
    const found = [undefined, state({ requested: true })].map((known) => dueTools([tool], () => known, policy).length);
    expect(found).toEqual([0, 1]);
  });

  it('are as many as there is room for, each of those that are due as likely as any other', () => {
    const states = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, undefined]));
    const counts = new Map<string, number>();
    const random = seededRandom(7);
    for (let round = 0; round < 2_000; round += 1) {
      const found = due(states, { limit: 5, random });
      expect(new Set(found).size).toBe(5);
      for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(counts.size).toBe(20);
    for (const count of counts.values()) expect(count).toBeGreaterThan(250);
  });
});
