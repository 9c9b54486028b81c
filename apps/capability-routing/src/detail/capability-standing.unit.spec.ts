import { describe, expect, it } from '@jest/globals';
import { hashPriceRule, type PriceRule, type VerificationStatus } from '@capability-router/contracts';
import type { ToolCopy } from '../tool-copies/tool-copy.entity.js';
import { standingOf } from './capability-standing.js';

const price: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' };
const tool = (toolId: string, over: Partial<ToolCopy> = {}): ToolCopy => ({
  toolId,
  version: 3,
  retired: false,
  providerId: toolId.split('.')[0] ?? '',
  price,
  priceRuleHash: hashPriceRule(price),
  parametersSchema: {},
  resultSchema: null,
  oneOfRequired: [],
  region: null,
  ownerAccountIds: [],
  terms: null,
  ...over,
});
const shownAs = (status: VerificationStatus) => ({
  status,
  policy_version: '1',
  required_checks: [],
  checks: [],
  quality_issues: [],
});
const standing = (
  tools: readonly ToolCopy[],
  statuses: Readonly<Record<string, VerificationStatus>> = {},
  region?: string,
) =>
  standingOf(
    { candidates: tools.map(({ toolId }) => ({ toolId })) },
    new Map(tools.map((one) => [one.toolId, one])),
    {
      shown: (toolId) => shownAs(statuses[toolId] ?? 'unverified'),
      dataAsOf: (toolId) => (statuses[toolId] === 'verified' ? '2026-03-01T12:00:00.000Z' : undefined),
    },
    region,
  );

describe('the standing of a capability', () => {
  it('is that of the tool that stands best, with the time of its data', () => {
    const tools = [tool('a.b.c.v1'), tool('b.b.c.v1'), tool('c.b.c.v1', { retired: true })];
    const found = standing(tools, { 'a.b.c.v1': 'failed', 'b.b.c.v1': 'verified', 'c.b.c.v1': 'verified' });
    expect(found).toMatchObject({
      verification_status: 'verified',
      verification: { status: 'verified' },
      execution_restrictions: { callable: true, data_as_of: '2026-03-01T12:00:00.000Z', warnings: [] },
    });
    expect(standing(tools.slice(2), { 'c.b.c.v1': 'verified' })).not.toHaveProperty('verification_status');
  });

  it('is open to whoever one of its tools is open to', () => {
    const [swiss, french] = [tool('a.b.c.v1', { region: 'CH' }), tool('b.b.c.v1', { region: 'FR' })];
    expect(standing([swiss, french], {}, 'FR').execution_restrictions).toMatchObject({
      callable: true,
      regions: { allow: ['CH', 'FR'], deny: [] },
    });
    expect(standing([swiss, french], {}, 'US').execution_restrictions).toMatchObject({
      callable: false,
      warnings: [expect.stringMatching(/region/)],
    });
    const anywhere = standing([swiss, tool('c.b.c.v1')], {}, 'US').execution_restrictions;
    expect(anywhere).toMatchObject({ callable: true, regions: { allow: [], deny: [] } });
  });

  it('has the terms that all its tools declare, and says in what they differ', () => {
    const free = { license: 'CC0-1.0', commercialUse: 'allowed' } as const;
    const [one, other] = [tool('a.b.c.v1', { terms: free }), tool('b.b.c.v1', { terms: free })];
    const undeclared = { license: 'unknown', commercial_use: 'unknown', eligibility: 'unknown' };
    expect(standing([one, other]).execution_restrictions).toMatchObject({
      license: 'CC0-1.0',
      commercial_use: 'allowed',
      eligibility: 'unknown',
      warnings: [],
    });
    expect(standing([tool('a.b.c.v1')]).execution_restrictions).toMatchObject({ ...undeclared, warnings: [] });
    const limited = tool('b.b.c.v1', { terms: { ...free, commercialUse: 'limited' } });
    expect(standing([one, limited]).execution_restrictions).toMatchObject({
      license: 'CC0-1.0',
      commercial_use: 'unknown',
      warnings: [expect.stringMatching(/differ in commercial_use.*provider_id/)],
    });
    expect(standing([one, tool('b.b.c.v1')]).execution_restrictions).toMatchObject(undeclared);
    const retired = tool('b.b.c.v1', { retired: true });
    expect(standing([one, retired]).execution_restrictions).toMatchObject({ license: 'CC0-1.0' });
  });
});
