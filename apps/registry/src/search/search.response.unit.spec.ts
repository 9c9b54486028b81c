import { describe, expect, it } from '@jest/globals';
import type { Language, ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { sampleStanding } from '../test-support/sample-standing.js';
import { describeTool } from '../tool-result/tool-result.js';
import { toSearchResults, type FoundTool } from './search.response.js';

const found = (name: string, score: number, finalScore: number): FoundTool => {
  const toolId = `geokit.distance.${name}.v1`;
  const [resolved] = resolveTools(sampleSource({ tools: [sampleTool({ toolId })] }));
  const tool = { ...resolved, version: 1, schemaHash: '0'.repeat(64) } as ToolContract;
  const statistics = { sampleCount: 50, successRate: 0.97, status: 'available' as const, window: '30d' };
  return { tool, statistics, hit: { toolId, score, finalScore, exact: false, matches: [] } };
};

const known = {
  describe: (tool: ToolContract, language: Language) => describeTool(tool, { language, constraints: false }),
  standing: sampleStanding,
};

describe('results of a search', () => {
  const hits = [found('a', 0.9, 0.5), found('b', 0.7, 0.6), found('c', 0.8, 0.4)];
  const resultsOf = (view: 'full' | 'routing') => toSearchResults(hits, view, 'en', known);

  it('keep the order of the search, with scores that never rise', () => {
    expect(resultsOf('full')).toMatchObject([
      { tool_id: 'geokit.distance.a.v1', score: 0.9, final_score: 0.5 },
      { tool_id: 'geokit.distance.b.v1', score: 0.7, final_score: 0.5 },
      { tool_id: 'geokit.distance.c.v1', score: 0.7, final_score: 0.4 },
    ]);
  });

  it('say what the calls of a tool say', () => {
    expect(resultsOf('full')[0]).toMatchObject({
      stats: { sample_count: 50, success_rate: 0.97, data_status: 'available', window: '30d' },
    });
    expect(resultsOf('routing')[0]).toMatchObject({ reliability: 'B' });
  });

  it('say so where no word led to the tool', () => {
    expect(resultsOf('full')[0]).toHaveProperty(
      'why_recommended',
      'Its description means about what the query asks for, in other words.',
    );
  });
});
