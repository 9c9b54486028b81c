import { describe, expect, it } from '@jest/globals';
import type { ToolStatistics } from '../statistics/domain/tool-statistics.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { evidenceKey, noEvidence, toSearchDocument } from './to-search-document.js';

const [provider] = sampleSource().providers;
if (provider === undefined) throw new Error('the sample has a provider');
const tool = {
  ...sampleTool(),
  provider,
  categoryDefinitions: sampleSource().categories,
  version: 1,
  schemaHash: '0'.repeat(64),
};
const evidenceOf = (statistics: Partial<ToolStatistics>, feedback = noEvidence.feedback('')) => ({
  feedback: () => feedback,
  statistics: (): ToolStatistics => ({ sampleCount: 50, status: 'available', window: '30d', ...statistics }),
});

describe('the document of a tool', () => {
  it('has the names of its parameters, each with its description, then those in Chinese', () => {
    const parametersSchema = {
      type: 'object',
      properties: { city: { type: 'string', description: 'Name of the city.' }, days: true, unit: { description: 7 } },
    };
    const document = toSearchDocument(
      { ...tool, parametersSchema, parameterDescriptionsZh: { city: '城市名称' } },
      noEvidence,
    );
    expect(document.params).toEqual(['city', 'Name of the city.', 'days', 'unit', '城市名称']);
    const without = { ...tool, parametersSchema: {}, parameterDescriptionsZh: {} };
    expect(toSearchDocument(without, noEvidence).params).toEqual([]);
  });

  it('has its feedback and its quality, coarsely', () => {
    const feedback = [{ term: 'lighthouse', weight: 5 }];
    const document = toSearchDocument(tool, evidenceOf({ successRate: 0.98765, averageMs: 1234 }, feedback));
    expect(document).toMatchObject({
      feedback,
      quality: { successRate: 0.99, averageMs: 1_200, priceMicroCredits: 500_000 },
    });
  });

  it('has no quality but the price from few, old or no samples', () => {
    for (const status of ['insufficient', 'stale', 'unavailable'] as const) {
      const document = toSearchDocument(tool, evidenceOf({ status, successRate: 0.5, averageMs: 10 }));
      expect(document.quality).toEqual({ priceMicroCredits: 500_000 });
    }
    expect(toSearchDocument(tool, noEvidence)).not.toHaveProperty('feedback');
  });

  it('has the price that callers are told to expect, with the minimum charge', () => {
    const price = {
      metering: { kind: 'result_rows', path: 'rows', maxUnits: 50 },
      amountMicroCredits: '1000',
      minimumMicroCredits: '5000',
      unitLabel: 'row',
    } as const;
    expect(toSearchDocument({ ...tool, price }, noEvidence).quality).toEqual({ priceMicroCredits: 5_000 });
  });

  it('is indexed anew when evidence makes a difference, and not for less', () => {
    const key = (statistics: Partial<ToolStatistics>) => evidenceKey(tool.toolId, evidenceOf(statistics));
    expect(key({ successRate: 0.9871, averageMs: 1_234 })).toBe(key({ successRate: 0.9899, averageMs: 1_180 }));
    expect(key({ successRate: 0.98 })).not.toBe(key({ successRate: 0.97 }));
    expect(key({ status: 'stale', successRate: 0.98 })).toBeUndefined();
    expect(evidenceKey(tool.toolId, noEvidence)).toBeUndefined();
  });
});
