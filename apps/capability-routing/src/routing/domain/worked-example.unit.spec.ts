import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseCredits } from '@capability-router/kernel';
import { sampleCandidate } from '../test-support/sample-candidate.js';
import type { VerificationStatus } from '@capability-router/contracts';
import type { Candidate } from './candidate.js';
import { decideRoute } from './decide-route.js';
import { defaultRoutingPolicy } from './routing-policy.js';

const DAY_MS = 86_400_000;
const document = readFileSync(new URL('../../../../../docs/routing.md', import.meta.url), 'utf8');
const seeds = ['exec_worked_example', 'exec_worked_example_20'] as const;

/** The rows of the table whose first column has this head; cells by the heads of their columns. */
function tableOf(firstHead: string): Record<string, string>[] {
  const lines = document.split('\n');
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  const from = lines.findIndex((line) => line.startsWith('|') && cells(line)[0] === firstHead);
  const heads = cells(lines[from] ?? '');
  const rows = lines.slice(from + 2, lines.indexOf('', from));
  expect(rows.length).toBeGreaterThan(2);
  return rows.map((row) => Object.fromEntries(cells(row).map((cell, column) => [heads[column] ?? '', cell])));
}

const optional = (cell: string | undefined): number | undefined =>
  cell === undefined || cell === '' ? undefined : Number(cell);

const candidates = tableOf('Candidate').map((row): Candidate => {
  const { Candidate: id = '' } = row;
  const days = optional(row['Age in days']);
  return sampleCandidate({
    toolId: id,
    providerId: id,
    isAllowedInRegion: id !== 'north',
    upperPrice: parseCredits(row['Upper price'] ?? ''),
    successes: Number(row['Succeeded']),
    failures: Number(row['Failed']),
    p95Ms: optional(row['p95 ms']),
    dataAgeMs: days === undefined ? undefined : days * DAY_MS,
    verification: row['Verification'] as VerificationStatus,
    admittedShare: Number(row['Admitted']),
  });
});
const decide = (over: object = {}) =>
  decideRoute(candidates, {
    seed: seeds[0],
    maxCredits: parseCredits('3'),
    availableCredits: parseCredits('2'),
    ...over,
  });
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

describe('the worked example of docs/routing.md', () => {
  it('leaves out whom it says, for the reasons that it says', () => {
    const told = tableOf('Left out').map((row) => [row['Left out'], row['Reason']]);
    expect(decide().excluded.map(({ toolId, reason }) => [toolId, reason])).toEqual(told);
  });

  it('has the factors that it says', () => {
    const factors = new Map(decide().candidates.map((one) => [one.toolId, one.factors]));
    const told = tableOf('Ranked');
    expect(factors.size).toBe(told.length);
    for (const { Ranked: id = '', ...row } of told) {
      const shown = Object.entries(factors.get(id) ?? {}).map(([name, value]) => [name, round(value as number)]);
      expect({ id, factors: Object.fromEntries(shown) as unknown }).toEqual({
        id,
        factors: Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, Number(cell)])),
      });
    }
  });

  it.each(tableOf('Preference'))('is in the order and has the scores that it says: $Preference', (row) => {
    const { Preference: prefer, ...places } = row;
    const { candidates: ranked } = decide(prefer === '(not said)' ? {} : { prefer });
    expect(ranked.map(({ toolId, score }) => `${toolId} ${round(score)}`)).toEqual(Object.values(places));
  });

  it('explores with the seed that it names', () => {
    const { candidates: ranked } = decide({ seed: seeds[1] });
    expect(ranked.map(({ toolId }) => toolId)).toEqual(['fresh', 'atlas', 'budget', 'swift']);
    expect(ranked[0]).toMatchObject({ isExploration: true });
    for (const seed of seeds) expect(document).toContain(seed);
  });
});

describe('the numbers of docs/routing.md', () => {
  it('are those of the policy', () => {
    const weights = tableOf('prefer').map(({ prefer, p, q, s }) => [
      prefer === '(not said)' ? 'balanced' : prefer,
      { price: Number(p), quality: Number(q), speed: Number(s) },
    ]);
    expect(Object.fromEntries(weights)).toEqual(defaultRoutingPolicy.weights);
    const { exploration, halfPriceCredits: half, halfSpeedMs, minSuccessRate, priorSuccess } = defaultRoutingPolicy;
    expect(document).toContain(`**price** = ${half} ÷ (${half} + c)`);
    const { rate, calls } = priorSuccess;
    expect(document).toContain(`**quality** = (s + ${rate * calls}) ÷ (n + ${calls})`);
    expect(document).toContain(`**speed** = ${halfSpeedMs} ÷ (${halfSpeedMs} + t)`);
    expect(document).toContain(`under ${minSuccessRate * 100} %`);
    expect(document).toContain(`In ${exploration.share * 100} % of the requests`);
    expect(document).toContain(`fewer than ${exploration.belowCalls} calls`);
  });

  it('name every reason, in the order in which they are asked for', () => {
    expect(tableOf('Reason').map(({ Reason: reason }) => reason)).toEqual([
      'contract_changed',
      'delegation',
      'region',
      'missing_parameter',
      'unverified',
      'quality_floor',
      'breaker_open',
      'price_unproven',
      'over_budget',
      'insufficient_credits',
    ]);
  });
});
