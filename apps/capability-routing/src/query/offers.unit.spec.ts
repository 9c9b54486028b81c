import { describe, expect, it } from '@jest/globals';
import { hashPriceRule, type CapabilityContract, type PriceRule } from '@capability-router/contracts';
import { parseCredits } from '@capability-router/kernel';
import type { ToolEvidence } from '../evidence/evidence-copy.js';
import { decideRoute } from '../routing/index.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import type { ToolCopyRecord } from '../tool-copies/tool-copy.entity.js';
import { offersFor } from './offers.js';
import { planOf } from './plan-query.js';
import { toldRouting } from './told-routing.js';

const TOOL = 'geokit.distance.compute.v1';
const perCall: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' };
const tool = (over: Partial<ToolCopyRecord> = {}): ToolCopyRecord => ({
  toolId: TOOL,
  version: 3,
  retired: false,
  providerId: 'geokit',
  price: perCall,
  priceRuleHash: hashPriceRule(perCall),
  requiredParameters: ['from'],
  oneOfRequired: [],
  region: null,
  ownerAccountIds: [],
  ...over,
});
const contractOf = (over: Partial<CapabilityContract> = {}): CapabilityContract => ({
  ...sampleCapability(),
  contractVersion: 2,
  schemaHash: 'a'.repeat(64),
  ...over,
});
const evidence: ToolEvidence = { successes: 40, failures: 2, p95Ms: 120.4, admittedShare: 1 };
const offersOf = (
  tools: readonly ToolCopyRecord[],
  over: Partial<CapabilityContract> = {},
  parameters = {},
  known: ToolEvidence = evidence,
) =>
  offersFor(
    contractOf({ candidates: tools.map(({ toolId }) => ({ toolId })), ...over }),
    { from: 'Bern', ...parameters },
    { tools: new Map(tools.map((one) => [one.toolId, one])), evidenceOf: () => known, region: 'CH' },
  );
const excludedFor = (...args: Parameters<typeof offersOf>) =>
  decideRoute(
    offersOf(...args).map(({ candidate }) => candidate),
    { seed: 'exec_1' },
  ).excluded.map(({ reason, explanation }) => [reason, explanation]);

describe('an offer', () => {
  it('is what a tool would be asked, at its version and price, and the most that it costs', () => {
    const mapped = { toolId: TOOL, parameters: { start: { from: '$.from' } }, result: { km: { from: '$.d' } } };
    const [offer] = offersOf([tool({ requiredParameters: ['start'] })], { candidates: [mapped] });
    expect(offer?.candidate).toMatchObject({ providerId: 'geokit', upperPrice: parseCredits('0.25'), ...evidence });
    expect(offer?.attempt).toEqual({
      toolId: TOOL,
      toolVersion: 3,
      priceRuleHash: hashPriceRule(perCall),
      parameters: { start: 'Bern' },
      expectedMs: 121,
      result: { km: { from: '$.d' } },
    });
  });

  it('has the price of these very parameters', () => {
    const metering = { kind: 'parameter_units', parameter: 'count', maxUnits: 100 } as const;
    const [offer] = offersOf([tool({ price: { ...perCall, metering } })], {}, { count: 7 });
    expect(offer?.candidate.upperPrice).toBe(parseCredits('1.75'));
  });

  it.each<[string, Partial<ToolCopyRecord>, string]>([
    ['is retired', { retired: true }, 'contract_changed'],
    ['is for other regions', { region: 'US' }, 'region'],
    ['needs what is not given', { requiredParameters: ['from', 'unit'] }, 'missing_parameter'],
    ['needs one of what is not given', { oneOfRequired: [['via', 'by']] }, 'missing_parameter'],
    [
      'costs more than any account holds',
      { price: { ...perCall, amountMicroCredits: '9'.repeat(30) } },
      'price_unproven',
    ],
  ])('of a tool that %s is left out, and says why', (_what, over, reason) => {
    expect(excludedFor([tool(over)])).toEqual([[reason, expect.any(String)]]);
  });

  it('of a tool that is not known, or whose mapping is none, is left out', () => {
    expect(excludedFor([], { candidates: [{ toolId: 'no.such.tool.v1' }] })).toMatchObject([['contract_changed', {}]]);
    const broken = [{ toolId: TOOL, parameters: { start: { from: 'from' } } }];
    expect(excludedFor([tool()], { candidates: broken })).toMatchObject([['contract_changed', {}]]);
  });
});

describe('a plan', () => {
  const many = Array.from({ length: 14 }, (_, index) => tool({ toolId: `p${index}.a.b.v1`, providerId: `p${index}` }));
  const planFor = (offers: ReturnType<typeof offersOf>, contract = contractOf()) => {
    const decision = decideRoute(
      offers.map(({ candidate }) => candidate),
      { seed: 'exec_1' },
    );
    const query = { wanted: { capabilityId: 'geo.distance' }, parameters: { from: 'Bern' }, constraints: {} };
    const routing = toldRouting(decision);
    const request = { capability_id: 'geo.distance' };
    return planOf({ contract, query, offers, decision, request, idempotencyKey: undefined, routing });
  };

  it('tries at most ten, in the order of the decision, and tells of all', () => {
    const plan = planFor(offersOf(many));
    const told = plan.answer?.routing?.['candidates'] as { tool_id: string }[];
    expect(plan.attempts).toHaveLength(10);
    expect(told.slice(0, 10).map(({ tool_id: id }) => id)).toEqual(plan.attempts.map(({ toolId }) => toolId));
    expect(told).toHaveLength(14);
  });

  it('tries no more than one request to execution holds, in bytes, and at least the first', () => {
    expect(planFor(offersOf(many, {}, { note: 'x'.repeat(150_000) })).attempts).toHaveLength(6);
    expect(planFor(offersOf(many, {}, { note: '天'.repeat(150_000) })).attempts).toHaveLength(2);
    expect(planFor(offersOf(many, {}, { note: 'x'.repeat(990_000) })).attempts).toHaveLength(1);
  });

  it('has the cheapest among those it tries, whatever its rank', () => {
    const dear = { ...perCall, amountMicroCredits: '2000000' };
    const known = many.map((one, index) => (index === 13 ? one : { ...one, price: dear }));
    const { attempts } = planFor(offersOf(known));
    expect(attempts).toHaveLength(10);
    expect(attempts.map(({ toolId }) => toolId)).toContain('p13.a.b.v1');
  });

  it('has 30 seconds, and more where the first tool is known to take longer', () => {
    const deadlineWith = (p95Ms: number | undefined): number =>
      planFor(offersOf([tool()], {}, {}, { ...evidence, p95Ms })).deadlineMs;
    expect([undefined, 5_000, 35_000, 90_000].map(deadlineWith)).toEqual([30_000, 30_000, 52_500, 100_000]);
  });

  it('may be repeated only where the contract says so, and holds results to the contract', () => {
    const offers = offersOf([tool()]);
    const { effect: _any, ...silent } = contractOf();
    const contracts = [
      ...(['read_only', 'idempotent', 'unsafe'] as const).map((effect) => contractOf({ effect })),
      silent,
    ];
    expect(contracts.map((contract) => planFor(offers, contract).repeatable)).toEqual([true, true, false, false]);
    expect(planFor(offers).fields).toEqual({ distance_km: { type: 'number', required: true } });
  });
});
