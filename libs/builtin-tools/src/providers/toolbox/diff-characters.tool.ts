import { defineTool } from '../../tool/define-tool.js';
import { DIFF_TIMEOUT_MS, diffParameters, sampleDiff } from '../../tool/diff.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadDiff = lazy(async () => (await import('diff-match-patch')).default);

const kindOf = (sign: number): string => (sign < 0 ? 'delete' : sign > 0 ? 'insert' : 'equal');

export const diffCharacters = defineTool({
  toolId: 'toolbox.text.diff.v1',
  name: { en: 'Character changes between two texts', zh: '文本字符级差异' },
  description: {
    en: 'Lists the insertions and deletions that turn one text into another, tidied to whole pieces that people can read, with the edit distance (Google diff-match-patch).',
    zh: '列出把一段文本变为另一段所需的增删片段，整理为便于阅读的整块，并给出编辑距离（Google diff-match-patch）。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.diff', tags: ['compare', 'levenshtein', 'edit distance', 'similarity'] }],
  parameters: diffParameters,
  sampleParameters: sampleDiff,
  price: perCall('0.15'),
  run: async (parameters) => {
    const { diff_match_patch: DiffMatchPatch } = await loadDiff();
    const engine = new DiffMatchPatch();
    // After that time it settles for a longer difference instead of the shortest.
    engine.Diff_Timeout = DIFF_TIMEOUT_MS / 1_000;
    const changes = engine.diff_main(text(parameters, 'before'), text(parameters, 'after'));
    engine.diff_cleanupSemantic(changes);
    return {
      identical: changes.every(([sign]) => sign === 0),
      edit_distance: engine.diff_levenshtein(changes),
      changes: changes.map(([sign, piece]) => ({ kind: kindOf(sign), text: piece })),
    };
  },
});
