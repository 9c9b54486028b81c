import { describe, expect, it } from '@jest/globals';
import { hashPriceRule, type CapabilityContract, type PriceRule } from '@capability-router/contracts';
import { parseCredits } from '@capability-router/kernel';
import type { Computed } from '@capability-router/provider-kit/jsonata';
import { judgeBinding } from '../bindings/judge-bindings.js';
import type { ToolEvidence } from '../evidence/index.js';
import type { ComputedByCandidate } from '../expressions/expressions.js';
import { decideRoute } from '../routing/index.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import type { ToolCopy } from '../tool-copies/tool-copy.entity.js';
import type { VerifiedTool } from '../verifications/verification-copy.js';
import { offersFor } from './offers.js';
import { planOf } from './plan-query.js';
import { toldRouting } from './told-routing.js';

const TOOL = 'geokit.distance.compute.v1';
const perCall: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' };
const schemaOf = (required: string[], names = ['from', 'to']) => ({
  type: 'object',
  required,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const tool = (over: Partial<ToolCopy> = {}): ToolCopy => ({
  toolId: TOOL,
  version: 3,
  retired: false,
  providerId: 'geokit',
  price: perCall,
  priceRuleHash: hashPriceRule(perCall),
  parametersSchema: schemaOf(['from']),
  oneOfRequired: [],
  region: null,
  ownerAccountIds: [],
  terms: null,
  resultSchema: null,
  ...over,
});
const contractOf = (over: Partial<CapabilityContract> = {}): CapabilityContract => ({
  ...sampleCapability(),
  contractVersion: 2,
  schemaHash: 'a'.repeat(64),
  ...over,
});
const evidence: ToolEvidence = { successes: 40, failures: 2, p95Ms: 120.4, admittedShare: 1, isTakenBack: false };
let computed: ComputedByCandidate = new Map();
let verified: VerifiedTool = { verification: 'unverified', dataAgeMs: undefined };
const verificationOf = () => verified;
const offersOf = (
  tools: readonly ToolCopy[],
  over: Partial<CapabilityContract> = {},
  parameters = {},
  known: ToolEvidence = evidence,
) =>
  offersFor(
    contractOf({ candidates: tools.map(({ toolId }) => ({ toolId })), ...over }),
    { from: 'Bern', ...parameters },
    {
      tools: new Map(tools.map((one) => [one.toolId, one])),
      verdictOn: judgeBinding,
      computed,
      evidenceOf: () => known,
      verificationOf,
      region: 'CH',
    },
  );
const excludedFor = (...args: Parameters<typeof offersOf>) =>
  decideRoute(
    offersOf(...args).map(({ candidate }) => candidate),
    { seed: 'exec_1' },
  ).excluded.map(({ reason, explanation }) => [reason, explanation]);

describe('an offer', () => {
  it('is what a tool would be asked, at its version and price, and the most that it costs', () => {
    const mapped = {
      toolId: TOOL,
      parameters: { start: { from: '$.from' } },
      result: { distance_km: { from: '$.d' } },
    };
    const [offer] = offersOf([tool({ version: 30, parametersSchema: schemaOf(['start'], ['start']) })], {
      candidates: [mapped],
    });
    expect(offer?.candidate).toMatchObject({ providerId: 'geokit', upperPrice: parseCredits('0.25'), ...evidence });
    expect(offer?.attempt).toEqual({
      toolId: TOOL,
      toolVersion: 30,
      priceRuleHash: hashPriceRule(perCall),
      parameters: { start: 'Bern' },
      expectedMs: 121,
      result: { distance_km: { from: '$.d' } },
    });
  });

  it('has the price of these very parameters', () => {
    const metering = { kind: 'parameter_units', parameter: 'count', maxUnits: 100 } as const;
    const [offer] = offersOf([tool({ price: { ...perCall, metering } })], {}, { count: 7 });
    expect(offer?.candidate.upperPrice).toBe(parseCredits('1.75'));
  });

  it.each<[string, Partial<ToolCopy>, string]>([
    ['is retired', { retired: true }, 'contract_changed'],
    ['is for other regions', { region: 'US' }, 'region'],
    ['needs what is not given', { version: 4, parametersSchema: schemaOf(['from', 'to']) }, 'missing_parameter'],
    ['needs one of what is not given', { version: 5, oneOfRequired: [['to', 'via']] }, 'missing_parameter'],
    [
      'costs more than any account holds',
      { price: { ...perCall, amountMicroCredits: '9'.repeat(30) } },
      'price_unproven',
    ],
  ])('of a tool that %s is left out, and says why', (_what, over, reason) => {
    expect(excludedFor([tool(over)])).toEqual([[reason, expect.any(String)]]);
  });

  it.each<[string, Partial<ToolCopy>, RegExp]>([
    [
      'needs what its binding never gives',
      { parametersSchema: schemaOf(['unit'], ['from', 'to', 'unit']) },
      /needs "unit"/,
    ],
    ['takes a parameter no more', { parametersSchema: schemaOf(['from'], ['from']) }, /no parameter "to"/],
    ['gives another result', { resultSchema: { type: 'object', additionalProperties: false } }, /no "distance_km"/],
  ])('of a tool whose new version %s is left out, and says so', (_what, over, words) => {
    expect(excludedFor([tool({ version: 9, ...over })])).toEqual([['contract_changed', expect.stringMatching(words)]]);
    expect(excludedFor([tool({ version: 9, ...over })])[0]?.[1]).toContain('Version 9');
  });

  it.each<[string, Computed, object[]]>([
    ['made a parameter', { values: { from: 'BERN' } }, []],
    ['made nothing of what it needs', { values: {} }, [{ reason: 'missing_parameter' }]],
    [
      'do not fit these parameters',
      { fault: { member: 'to', code: 'T0410', detail: 'no text' } },
      [{ reason: 'missing_parameter', explanation: expect.stringContaining('to') }],
    ],
    ['do not end', 'limits', [{ reason: 'contract_changed', explanation: expect.stringContaining('does not end') }]],
  ])('of a binding whose expressions %s is what they made of it, or is left out', (_what, made, excluded) => {
    const bound = { toolId: TOOL, parameters: { from: { jsonata: '$uppercase(from)' }, to: { jsonata: 'to' } } };
    computed = new Map([[bound, made]]);
    const [offer] = offersOf([tool()], { candidates: [bound] });
    computed = new Map();
    const decision = decideRoute(offer === undefined ? [] : [offer.candidate], { seed: 'exec_1' });
    expect(decision.excluded).toMatchObject(excluded);
    if (excluded.length === 0) expect(offer?.attempt?.parameters).toEqual({ from: 'BERN' });
  });

  it('has what the registry has found of its tool: one that failed is left out, one that is verified is preferred', () => {
    const scored = (found: VerifiedTool) => {
      verified = found;
      try {
        const [offer] = offersOf([tool()]);
        return decideRoute(offer === undefined ? [] : [offer.candidate], { seed: 'exec_1' });
      } finally {
        verified = { verification: 'unverified', dataAgeMs: undefined };
      }
    };
    const [better, as] = [scored({ verification: 'verified', dataAgeMs: 1_000 }), scored(verified)];
    expect(better.candidates[0]?.score).toBeGreaterThan(as.candidates[0]?.score ?? 1);
    expect(better.candidates[0]?.factors).toMatchObject({ verification: 1, freshness: expect.closeTo(1, 2) });
    expect(scored({ verification: 'failed', dataAgeMs: undefined }).excluded).toMatchObject([
      { reason: 'unverified', explanation: 'Its verification is "failed".' },
    ]);
  });

  it('of a tool that is not known, or whose mapping is none, is left out', () => {
    expect(excludedFor([], { candidates: [{ toolId: 'no.such.tool.v1' }] })).toEqual([
      ['contract_changed', expect.any(String)],
    ]);
    const broken = [{ toolId: TOOL, parameters: { start: { from: 'from' } } }];
    expect(excludedFor([tool()], { candidates: broken })).toEqual([['contract_changed', expect.any(String)]]);
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
    expect(contracts.map((contract) => planFor(offers, contract).readOnly)).toEqual([
      true,
      undefined,
      undefined,
      undefined,
    ]);
    expect(planFor(offers).fields).toEqual({ distance_km: { type: 'number', required: true } });
  });
});
