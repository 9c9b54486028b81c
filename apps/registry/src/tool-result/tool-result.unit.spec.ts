import { describe, expect, it } from '@jest/globals';
import type { PriceRule, ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { noEvidence, toSearchDocument } from '../search-index/to-search-document.js';
import { ToolIndex } from '@capability-router/tool-search';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { billingRuleOf, expectedCost } from './domain/billing-rule.js';
import { toRoutingCard } from './domain/routing-card.js';
import type { Stats } from './domain/stats.js';
import { toLeanResult, toToolResult } from './domain/tool-result.js';
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
    const result = toToolResult(contract(), noStats, { language: 'en', constraints: false });
    expect(result).toEqual({
      tool_id: 'geokit.distance.compute.v1',
      name: 'City distance',
      description: 'Great-circle distance between two cities. Works offline.',
      provider_name: 'Geokit',
      provider_id: 'geokit',
      provider_description: 'Geography over bundled data.',
      category: 'geography',
      categories: [{ slug: 'geography', name: 'Geography', description: 'Places.' }],
      capabilities: [{ id: 'geo.distance', tag: ['offline'] }],
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
    });
    expect(JSON.stringify(result)).not.toContain('null');
  });

  it('speaks Chinese where there is a text, English where there is none', () => {
    const result = toToolResult(contract(), noStats, { language: 'zh', constraints: true });
    expect(result).toMatchObject({ name: '城市距离', provider_name: '地理工具' });
    expect(result.provider_description).toBe('Geography over bundled data.');
    expect(result.params[0]).toMatchObject({ description: '出发城市。', minLength: 1 });
  });

  it('names its region and its documentation where it has them', () => {
    const tool = contract({ region: 'US|CA', docsUrl: 'https://example.com/docs' });
    const result = toToolResult(tool, noStats, { language: 'en', constraints: false });
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
});
