import { defineTool } from '../../tool/define-tool.js';
import { DIFF_TIMEOUT_MS, diffParameters, sampleDiff } from '../../tool/diff.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadDiff = lazy(() => import('diff'));

/** Lines around a change in the patch. */
const CONTEXT_LINES = 3;

export const diffText = defineTool({
  toolId: 'scribe.text.diff.v1',
  name: { en: 'Compare two texts', zh: '文本差异比对' },
  description: {
    en: 'Shows what changed between two versions of a text, document or source file, by line, word or character, and writes a unified patch that git and patch understand.',
    zh: '按行、词或字符比较两个版本的文本、文档或源代码，给出增删内容，并生成 git 与 patch 可用的统一格式补丁。',
  },
  categories: ['language-and-text', 'developer-tools'],
  capabilities: [{ id: 'text.diff', tags: ['compare', 'difference', 'patch', 'changes', 'version'] }],
  parameters: {
    ...diffParameters,
    granularity: {
      schema: { type: 'string', enum: ['line', 'word', 'character'], default: 'line' },
      en: 'Unit of comparison.',
      zh: '比较单位：行、词或字符。',
    },
  },
  sampleParameters: sampleDiff,
  price: perCall('0.4'),
  run: async (parameters) => {
    const { createTwoFilesPatch, diffChars, diffLines, diffWordsWithSpace } = await loadDiff();
    const granularity = text(parameters, 'granularity', 'line');
    const [before, after] = [text(parameters, 'before'), text(parameters, 'after')];
    const options = { timeout: DIFF_TIMEOUT_MS };
    const changes =
      granularity === 'line'
        ? diffLines(before, after, options)
        : granularity === 'word'
          ? diffWordsWithSpace(before, after, options)
          : diffChars(before, after, options);
    const patch = createTwoFilesPatch('before', 'after', before, after, '', '', { ...options, context: CONTEXT_LINES });
    if (changes === undefined || patch === undefined) {
      throw new ToolInputError(
        'The texts differ too much to be compared so finely. Compare by line, or smaller parts.',
      );
    }
    return {
      identical: before === after,
      changes: changes.map(({ added, removed, value }) => ({
        kind: added ? 'insert' : removed ? 'delete' : 'equal',
        text: value,
      })),
      patch: before === after ? '' : patch.slice(patch.indexOf('---')),
    };
  },
});
