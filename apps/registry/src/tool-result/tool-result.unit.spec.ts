import { describe, expect, it } from '@jest/globals';
import type { PriceRule, ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { noEvidence, toSearchDocument } from '../search-index/to-search-document.js';
import { ToolIndex } from '@capability-router/tool-search';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { sampleStanding } from '../test-support/sample-standing.js';
import { billingRuleOf, expectedCost } from './billing-rule.js';
import { toRoutingCard } from './routing-card.js';
import type { Stats } from './domain/stats.js';
import { toLeanResult, toToolResult } from './tool-result.js';
import { whyRecommended } from './why-recommended.js';

const contract = (over: Parameters<typeof sampleTool>[0] = {}): ToolContract => {
  const [tool] = resolveTools(sampleSource({ tools: [sampleTool(over)] }));
  if (tool === undefined) throw new Error('the sample has a tool');
  return { ...tool, version: 1, schemaHash: '0'.repeat(64) };
};
const noStats: Stats = { sample_count: 0, data_status: 'insufficient', window: '30d' };
const perRow: PriceRule = {
  metering: { kind: 'result_rows', path: 'rows', maxUnits: 500 },
  amountMicroCredits: '20000',
  minimumMicroCredits: '1000000',
  unitLabel: 'row',
};

describe('tool result', () => {
  it('has the full shape, and no null', () => {
    const tool = contract();
    const standing = sampleStanding(tool);
    const result = toToolResult(tool, { stats: noStats, ...standing }, { language: 'en', constraints: false });
    expect(result).toEqual({
      tool_id: 'geokit.distance.compute.v1',
      name: 'City distance',
      description: 'Great-circle distance between two cities. Works offline.',
      provider_name: 'Geokit',
      provider_id: 'geokit',
      provider_description: 'Geography over bundled data.',
      category: 'geography',
      categories: [{ slug: 'geography', name: 'Geography', description: 'Places.' }],
      capabilities: [{ id: 'geo.distance', tag: [{ id: 'offline', name: 'offline' }] }],
      region: 'global',
      params: [
        { name: 'from', type: 'string', required: true, description: 'City to start from.' },
        { name: 'to', type: 'string', required: false, description: 'City to go to.' },
        { name: 'to_code', type: 'string', required: false },
      ],
      one_of_required: [['to', 'to_code']],
      examples: { sample_parameters: { from: 'Berlin', to: 'Paris' } },
      expected_cost: '0.5',
      billing_rule: {
        unit: 'call',
        amount_credits: 0.5,
        description: '0.5 credits per call. Failed and empty calls are free.',
        billing_unit: 'call',
        price: { amount_credits: 0.5, unit: 'credits', unit_label: 'call' },
        metering_mode: 'call',
      },
      stats: noStats,
      ...standing,
    });
    expect(standing).toEqual({
      verification_status: 'unverified',
      verification: expect.objectContaining({
        status: 'unverified',
        required_checks: ['schema', 'description_contract', 'provider_identity', 'permissions', 'live_check'],
      }),
      execution_restrictions: {
        callable: true,
        eligibility: 'unknown',
        license: 'unknown',
        commercial_use: 'unknown',
        regions: { allow: [], deny: [] },
        warnings: [],
      },
    });
    expect(JSON.stringify(result)).not.toContain('null');
  });

  it('speaks Chinese where there is a text, English where there is none', () => {
    const known = { stats: noStats, ...sampleStanding(contract()) };
    const result = toToolResult(contract(), known, { language: 'zh', constraints: true });
    expect(result).toMatchObject({ name: '城市距离', provider_name: '地理工具' });
    expect(result.provider_description).toBe('Geography over bundled data.');
    expect(result.params[0]).toMatchObject({ description: '出发城市。', minLength: 1 });
  });

  it('tells what its publisher says of the use of results', () => {
    const tool = contract({ terms: { license: 'CC-BY-4.0', commercialUse: 'limited', eligibility: 'Researchers.' } });
    expect(sampleStanding(tool).execution_restrictions).toMatchObject({
      license: 'CC-BY-4.0',
      commercial_use: 'limited',
      eligibility: 'Researchers.',
    });
  });

  it('names its region and its documentation where it has them', () => {
    const tool = contract({ region: 'US|CA', docsUrl: 'https://example.com/docs' });
    const known = { stats: noStats, ...sampleStanding(tool) };
    const result = toToolResult(tool, known, { language: 'en', constraints: false });
    expect(result).toMatchObject({ region: 'US|CA', docs_url: 'https://example.com/docs' });
  });

  it('in the lean view is only what a call needs', () => {
    expect(Object.keys(toLeanResult(contract(), 'en')).sort()).toEqual(
      ['tool_id', 'name', 'description', 'provider_name', 'params', 'one_of_required', 'expected_cost'].sort(),
    );
  });
});

describe('price of a tool', () => {
  it('names amount and minimum as numbers, and the cost as a numeric string', () => {
    expect(expectedCost(perRow)).toBe('1');
    expect(billingRuleOf(perRow, 'en')).toMatchObject({
      unit: 'row',
      amount_credits: 0.02,
      minimum_charge_credits: 1,
      description: '0.02 credits per result row, at least 1 per successful call. Failed and empty calls are free.',
    });
  });

  it('names every term of a metered price, in both languages', () => {
    const rule: PriceRule = {
      metering: { kind: 'result_units', path: 'usage.tokens', maxUnits: 8_000 },
      amountMicroCredits: '500000',
      perUnits: 1_000,
      freeUnits: 100,
      minimumMicroCredits: '10000',
      tiers: [{ aboveUnits: 4_000, amountMicroCredits: '300000' }],
      cacheHitMicroCredits: '5000',
      unitLabel: 'token',
    };
    expect(expectedCost(rule)).toBe('0.5');
    expect(billingRuleOf(rule, 'en')).toEqual({
      unit: 'token',
      amount_credits: 0.5,
      description:
        '0.5 credits per 1000 tokens, 0.3 above 4000 tokens, the first 100 tokens of a call free, at least 0.01 per ' +
        'successful call, at most 0.005 when answered from the cache. Failed and empty calls are free.',
      billing_unit: 'token',
      price: { amount_credits: 0.5, unit: 'credits', unit_label: 'token' },
      minimum_charge_credits: 0.01,
      metering_mode: 'result_units',
      per_units: 1_000,
      free_units: 100,
      tiers: [{ above_units: 4_000, amount_credits: 0.3 }],
      max_units: 8_000,
      cache_hit_amount_credits: 0.005,
    });
    expect(billingRuleOf(rule, 'zh').description).toBe(
      '每 1000 token 0.5 积分，超过 4000 个单位的部分 0.3 积分，每次调用前 100 个单位免费，每次成功调用最低 0.01 积分，' +
        '命中缓存时最多 0.005 积分。失败或结果为空不收费。',
    );
  });

  it('is not called free where only its first units are', () => {
    const rule: PriceRule = { ...perRow, minimumMicroCredits: '0', freeUnits: 10 };
    expect(expectedCost(rule)).toBe('0.02');
    expect(toRoutingCard(contract({ price: rule }), 'unknown', 'en').cost_class).toBe('low');
  });

  it('says when it is free', () => {
    const free: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' };
    expect(expectedCost(free)).toBe('0');
    expect(billingRuleOf(free, 'zh').description).toBe('免费。');
  });
});

describe('routing card', () => {
  it.each([
    ['0', 'free'],
    ['1000000', 'low'],
    ['1000001', 'medium'],
    ['10000001', 'high'],
  ])('of a tool at %s micro-credits is of class %s', (amountMicroCredits, costClass) => {
    const price: PriceRule = { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' };
    expect(toRoutingCard(contract({ price }), 'unknown', 'en').cost_class).toBe(costClass);
  });

  it('holds just its five fields', () => {
    expect(toRoutingCard(contract(), 'B', 'en')).toEqual({
      tool_id: 'geokit.distance.compute.v1',
      capability: 'City distance: Great-circle distance between two cities.',
      cost_class: 'low',
      reliability: 'B',
      as_of_support: false,
    });
  });
});

describe('reason of a recommendation', () => {
  const index = new ToolIndex([toSearchDocument(contract(), noEvidence)]);

  it.each([
    ['city distance offline', 'en', 'Matches "distance", "city" in its name, "offline" in its description.'],
    ['城市', 'zh', '名称匹配“城市”。'],
    ['geokit.distance.compute.v1', 'en', 'The query is the id of this tool.'],
  ] as const)('for "%s" says what matched where', (query, language, reason) => {
    const [hit] = index.search(query, { limit: 1 });
    if (hit === undefined) throw new Error('the sample is found');
    expect(whyRecommended(hit, language)).toBe(reason);
  });

  it('names a Chinese word once, however it matched, and nothing that only joins two words', () => {
    const hit = {
      toolId: 'a.b.c.v1',
      score: 1,
      finalScore: 1,
      exact: false,
      matches: [
        { word: '账号', fields: ['description'] },
        { word: '银行', fields: ['name'] },
        { word: '行账', fields: ['name'] },
        { word: '账号', fields: ['name'] },
        { word: '验证', fields: ['params'] },
        { word: '号是', fields: ['name'] },
      ],
    } as const;
    expect(whyRecommended(hit, 'zh')).toBe('名称匹配“账号”、“银行”，参数匹配“验证”。');
    expect(whyRecommended(hit, 'en')).toBe('Matches "账号", "银行" in its name, "验证" in its parameters.');
  });
});
