import { defineTool } from '../../tool/define-tool.js';
import { rounded } from '../../tool/numbers.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { countSentences, wordsOf } from '../../tool/segments.js';

const loadFormulas = lazy(async () => {
  const [automated, coleman, flesch, gunning, smog, { syllable }] = await Promise.all([
    import('automated-readability'),
    import('coleman-liau'),
    import('flesch-kincaid'),
    import('gunning-fog'),
    import('smog-formula'),
    import('syllable'),
  ]);
  return { ...automated, ...coleman, ...flesch, ...gunning, ...smog, syllable };
});

/** Characters. */
const MAX_TEXT_LENGTH = 50_000;
/** Words a minute: a mean of adults reading English silently (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;
/** Syllables from which on a word is hard to the formulas of Gunning and McLaughlin. */
const HARD_SYLLABLES = 3;

export const readabilityScore = defineTool({
  toolId: 'lingua.readability.score.v1',
  name: { en: 'Readability of an English text', zh: '英文文本可读性评分' },
  description: {
    en: 'Measures how easy an English text is to read: school grade level by Flesch-Kincaid, Gunning fog, SMOG, Coleman-Liau and ARI, with word and sentence counts and reading time.',
    zh: '评估英文文本的阅读难度：按 Flesch-Kincaid、Gunning fog、SMOG、Coleman-Liau、ARI 给出年级水平，并统计词数、句数与阅读时间。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.readability', tags: ['grade level', 'plain language', 'word count', 'reading time'] }],
  parameters: {
    text: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
      en: 'English text; three sentences or more give a fair measure.',
      zh: '英文文本；三句以上结果较可靠。',
      required: true,
    },
  },
  sampleParameters: {
    text: 'The quick brown fox jumps over the lazy dog. It was a sunny afternoon. Nobody saw it happen.',
  },
  price: perKilobyte('0.1', '0.2', 'text', MAX_TEXT_LENGTH),
  run: async (parameters) => {
    const { automatedReadability, colemanLiau, fleschKincaid, gunningFog, smogFormula, syllable } =
      await loadFormulas();
    const content = text(parameters, 'text');
    const words = wordsOf(content);
    if (words.length === 0) return null;
    const sentence = countSentences(content);
    const syllables = words.map((word) => syllable(word));
    const word = words.length;
    const letter = words.join('').length;
    const polysillabicWord = syllables.filter((count) => count >= HARD_SYLLABLES).length;
    const total = syllables.reduce((sum, count) => sum + count, 0);
    return {
      word_count: word,
      sentence_count: sentence,
      syllable_count: total,
      reading_minutes: rounded(word / WORDS_PER_MINUTE, 2),
      flesch_reading_ease: rounded(206.835 - 1.015 * (word / sentence) - 84.6 * (total / word), 1),
      grade_levels: {
        flesch_kincaid: rounded(fleschKincaid({ sentence, word, syllable: total }), 1),
        gunning_fog: rounded(gunningFog({ sentence, word, complexPolysillabicWord: polysillabicWord }), 1),
        smog: rounded(smogFormula({ sentence, polysillabicWord }), 1),
        coleman_liau: rounded(colemanLiau({ sentence, word, letter }), 1),
        automated_readability: rounded(automatedReadability({ sentence, word, character: letter }), 1),
      },
    };
  },
});
