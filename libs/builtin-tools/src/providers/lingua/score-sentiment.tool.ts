import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';

const loadAnalyzer = lazy(async () => new (await import('sentiment')).default());

/** Characters. */
const MAX_TEXT_LENGTH = 50_000;
/** Words of each mood that are reported. */
const MAX_WORDS = 100;

export const scoreSentiment = defineTool({
  toolId: 'lingua.sentiment.score.v1',
  name: { en: 'Sentiment of an English text', zh: '英文文本情感分析' },
  description: {
    en: 'Scores how positive or negative an English text is, such as a review or a comment, and lists the words that decide it (AFINN word list).',
    zh: '评估英文文本（如评论、评价）的正负情感，并列出起决定作用的词语（AFINN 词表）。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.sentiment', tags: ['opinion', 'review', 'mood'] }],
  parameters: {
    text: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
      en: 'English text to score.',
      zh: '要评估的英文文本。',
      required: true,
    },
  },
  sampleParameters: { text: 'I love this great product, but the delivery was awful.' },
  price: perKilobyte('0.1', '0.2', 'text', MAX_TEXT_LENGTH),
  run: async (parameters) => {
    const { score, comparative, tokens, positive, negative } = (await loadAnalyzer()).analyze(text(parameters, 'text'));
    return {
      label: score > 0 ? 'positive' : score < 0 ? 'negative' : 'neutral',
      score,
      score_per_word: Math.round(comparative * 10_000) / 10_000,
      word_count: tokens.length,
      positive_words: positive.slice(0, MAX_WORDS),
      negative_words: negative.slice(0, MAX_WORDS),
    };
  },
});
