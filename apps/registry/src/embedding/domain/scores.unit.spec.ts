import { describe, expect, it } from '@jest/globals';
import { resolveTools } from '../../catalogue/domain/resolve-tool.js';
import type { ToolContract } from '@capability-router/contracts';
import { sampleSource, sampleTool } from '../../test-support/sample-catalogue.js';
import { rerankOrder } from './rerank-order.js';
import { semanticEvidence } from './semantic-evidence.js';
import { toolText } from './tool-text.js';

describe('what cosines say', () => {
  const policy = { share: 0.4, minCosine: 0.5, minFit: 0.25 };
  const evidence = (...cosines: number[]) => {
    const neighbours = cosines.map((cosine, at) => ({ toolId: `t${at}`, cosine }));
    return [...semanticEvidence(neighbours, policy).byTool.values()];
  };

  it('is likeness within the answer, and fitting by the cosine alone', () => {
    expect(evidence(0.75, 0.5, 0.25)).toEqual([
      { likeness: 1, fit: 0.625 },
      { likeness: 0.5, fit: 0.25 },
      { likeness: 0, fit: 0 },
    ]);
  });

  it('is all or nothing of a single tool, and nothing of none', () => {
    expect(evidence(0.9)).toMatchObject([{ likeness: 1 }]);
    expect(evidence(0.4)).toEqual([{ likeness: 0, fit: 0 }]);
    expect(evidence()).toEqual([]);
  });

  it('never passes 1', () => {
    expect(evidence(1.001, 0.2)).toMatchObject([{ likeness: 1, fit: 1 }, {}]);
  });
});

describe('what a reranker says', () => {
  const hits = [
    { id: 'a', score: 0.9, finalScore: 0.5 },
    { id: 'b', score: 0.8, finalScore: 0.7 },
    { id: 'c', score: 0.7, finalScore: 0.3 },
    { id: 'd', score: 0.6, finalScore: 0.2 },
  ];
  const order = (judgements: number[], share = 0.5) => rerankOrder(hits, judgements, share).map(({ id }) => id);

  it('counts its share, whatever its scale', () => {
    expect(order([-8, 0, 4])).toEqual(['c', 'b', 'a', 'd']);
    expect(order([0, 0.1, 0.15])).toEqual(['c', 'b', 'a', 'd']);
    expect(order([-8, 0, 4], 0.01)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('leaves what it did not judge behind, and nothing changed where it says nothing', () => {
    expect(order([1, 2])).toEqual(['b', 'a', 'c', 'd']);
    expect(rerankOrder(hits, [3, 3, 3], 0.5)).toEqual(hits);
    expect(rerankOrder(hits, [], 0.5)).toEqual(hits);
  });

  it('leaves scores that never rise', () => {
    for (const scores of ['score', 'finalScore'] as const) {
      const shown = rerankOrder(hits, [0, 5, 9], 0.7).map((hit) => hit[scores]);
      expect(shown).toEqual([...shown].sort((x, y) => y - x));
    }
  });
});

describe('the text of a tool', () => {
  const textOf = (description: string): string => {
    const source = sampleSource({ tools: [sampleTool({ description: { en: description } })] });
    return toolText({ ...resolveTools(source)[0], version: 1, schemaHash: '0'.repeat(64) } as ToolContract);
  };

  it('says what the tool does in both languages, and is bounded without half a character', () => {
    expect(textOf('Far and away.')).toContain(
      'City distance (城市距离)\nFar and away.\nGeography (地理)\noffline\nGeokit',
    );
    for (const pad of ['', ' ']) {
      const long = textOf(`${pad}${'😀'.repeat(2_000)}`);
      expect(long.length).toBeLessThanOrEqual(2_000);
      expect(encodeURIComponent(long)).not.toBe('');
    }
  });
});
