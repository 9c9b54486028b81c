import { describe, expect, it } from '@jest/globals';
import type { CredentialBudgets } from '@capability-router/contracts';
import { budgetsOfCredential } from './budgets-of-credential.js';

const apiKeyId = '018f0000-0000-7000-8000-000000000001';
const of = (budgets: CredentialBudgets, time: string, sessionId?: string) =>
  budgetsOfCredential({ apiKeyId, budgets }, sessionId, Date.parse(time));
const limitMicroCredits = '5';

describe('the budgets of a credential', () => {
  it.each([
    ['total', '2026-02-28T12:00:00Z', 'total', undefined],
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-01T00:00:00.000Z'],
    ['day', '2028-02-28T23:59:59.999Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
    ['day', '2026-12-31T00:00:00Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    // Another zone's midnight is none.
    ['day', '2026-03-01T01:30:00+02:00', '2026-02-28', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01T00:00:00.000Z'],
    ['month', '2026-12-15T00:00:00Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ] as const)('per %s counts at %s in %s, which ends at %s', (period, time, name, endsAt) => {
    const [budget] = of({ key: { limitMicroCredits, period } }, time);
    expect(budget).toMatchObject({ budgetId: `key:${apiKeyId}:${name}`, scope: 'key', limit: 5n });
    expect(budget?.periodEndsAt?.toISOString()).toBe(endsAt);
  });

  it('are none without limits, and none of a credential that is no key', () => {
    expect(budgetsOfCredential({ apiKeyId }, 'task', 0)).toEqual([]);
    expect(of({}, '2026-01-01T00:00:00Z', 'task')).toEqual([]);
    expect(budgetsOfCredential({ budgets: { session: { limitMicroCredits } } }, 'task', 0)).toEqual([]);
  });

  it('count a delegation token apart, without an end, beside the budgets of its key', () => {
    const delegation = { tokenId: 'token', limitMicroCredits };
    const counter = { budgetId: 'delegation:token', scope: 'delegation', limit: 5n, periodEndsAt: null };
    expect(budgetsOfCredential({ budgets: { delegation } }, 'task', 0)).toEqual([counter]);
    const all = of(
      { key: { limitMicroCredits, period: 'day' }, session: { limitMicroCredits }, delegation },
      '2026-01-01',
    );
    expect(all.map(({ scope }) => scope)).toEqual(['key', 'session', 'delegation']);
    expect(all[2]).toEqual(counter);
  });

  it('count a project in one counter for all of its credentials, and at most four budgets in all', () => {
    const project = { limitMicroCredits, period: 'day' } as const;
    const [ofKey, ofToken] = [{ apiKeyId }, {}].map((who) =>
      budgetsOfCredential({ ...who, projectId: 'p', budgets: { project } }, 'task', 0),
    );
    expect(ofKey).toEqual(ofToken);
    expect(ofKey).toMatchObject([{ budgetId: 'project:p:1970-01-01', scope: 'project', limit: 5n }]);
    expect(budgetsOfCredential({ apiKeyId, budgets: { project } }, 'task', 0)).toEqual([]);
    const [limit, delegation] = [{ limitMicroCredits }, { tokenId: 'token', limitMicroCredits }];
    const budgets = { key: project, session: limit, project, delegation };
    const all = budgetsOfCredential({ apiKeyId, projectId: 'p', budgets }, 'task', 0);
    expect(all.map(({ scope }) => scope)).toEqual(['key', 'session', 'project', 'delegation']);
  });

  it('count each session of each key apart, and never hold what its caller named it', () => {
    const session = { session: { limitMicroCredits } };
    const [first, again, other] = ['task', 'task', 'Task'].map((id) => of(session, '2026-01-01T00:00:00Z', id)[0]);
    const [ofOtherKey] = budgetsOfCredential({ apiKeyId: 'other', budgets: session }, 'task', 0);
    expect(again).toEqual(first);
    expect(new Set([first, other, ofOtherKey].map((budget) => budget?.budgetId)).size).toBe(3);
    expect(
      JSON.stringify(first, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain('task');
    expect(first).toMatchObject({ scope: 'session', periodEndsAt: null });
  });

  it('count calls without a session, and sessions beyond the bound, together by day', () => {
    const session = { session: { limitMicroCredits } };
    const [none] = of(session, '2026-01-01T10:00:00Z');
    expect(none?.periodEndsAt?.toISOString()).toBe('2026-01-02T00:00:00.000Z');
    expect(of(session, '2026-01-01T10:00:00Z', 'task')[0]?.session?.shared).toEqual(none);
    expect(of(session, '2026-01-02T10:00:00Z')[0]?.budgetId).not.toBe(none?.budgetId);
  });
});
