import { describe, expect, it } from '@jest/globals';
import { ToolIndex } from '@capability-router/tool-search';
import type { EvalQuery, EvalTool } from '../data/eval-data.js';
import { toDocument } from '../data/to-document.js';
import { pairsWithNames, pairsWithQueries, scorePairs } from './language-pairs.js';

const toolOf = (id: string, name: string, description: string): EvalTool => ({
  id,
  name,
  description,
  params: [],
  source: 'a',
});
const tools = [
  toolOf('a.scene', 'DeleteScene', 'Removes a scene 场景'),
  toolOf('a.alarm', 'AddAlarm', 'Wakes somebody up'),
];
const query = (lang: string, text: string, ...relevant: string[]): EvalQuery => ({ lang, text, relevant, source: 'a' });
const queries = [
  query('zh', '场景', 'a.scene'),
  query('zh', '闹钟', 'a.alarm'),
  query('en', 'please remove my scene', 'a.scene'),
  query('en', 'unrelated words', 'a.scene'),
  query('en', 'scene and alarm', 'a.alarm', 'a.scene'),
];

describe('pairs of a Chinese and an English need', () => {
  it('are the Chinese query and the words of the English name of its tool', () => {
    expect(pairsWithNames(queries, tools)).toEqual([
      { relevant: ['a.scene'], chinese: '场景', english: ['Delete Scene'] },
      { relevant: ['a.alarm'], chinese: '闹钟', english: ['Add Alarm'] },
    ]);
  });

  it('are the Chinese query and the English ones with just the same tools, where there are any', () => {
    expect(pairsWithQueries(queries)).toEqual([
      { relevant: ['a.scene'], chinese: '场景', english: ['please remove my scene', 'unrelated words'] },
    ]);
  });

  it('are scored side by side, a pair counting once however many English queries it has', () => {
    const index = new ToolIndex(tools.map(toDocument));
    const byQueries = scorePairs(pairsWithQueries(queries), index);
    expect(byQueries.pairs).toBe(1);
    expect(byQueries.chinese.recall10).toBe(1);
    expect(byQueries.english.recall10).toBe(0.5);
    const byNames = scorePairs(pairsWithNames(queries, tools), index);
    expect([byNames.chinese.ndcg10, byNames.english.ndcg10]).toEqual([0.5, 1]);
  });
});
