import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { describeLanguage, languageSample } from '../../tool/shared-parameters.js';

const loadDetector = lazy(() => import('tinyld'));

/** Further languages that are reported. */
const MAX_ALTERNATIVES = 3;

const round = (share: number): number => Math.round(share * 1_000) / 1_000;

export const detectLanguage = defineTool({
  toolId: 'lingua.language.detect.v1',
  name: { en: 'Detect the language of a text', zh: '文本语言检测' },
  description: {
    en: 'Recognises which of over 60 languages a text is written in, even when it is short, with a confidence and the next best guesses.',
    zh: '识别文本所用语言（60 余种，短文本也适用），给出置信度与次优候选。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.detect_language', tags: ['language identification', 'short text'] }],
  parameters: languageSample,
  sampleParameters: { text: 'Wo ist der nächste Bahnhof, bitte?' },
  price: perCall('0.5'),
  run: async (parameters) => {
    const { detectAll } = await loadDetector();
    const [best, ...others] = detectAll(text(parameters, 'text'));
    if (best === undefined) return null;
    return {
      ...describeLanguage(best.lang),
      confidence: round(best.accuracy),
      alternatives: others
        .slice(0, MAX_ALTERNATIVES)
        .map(({ lang, accuracy }) => ({ ...describeLanguage(lang), confidence: round(accuracy) })),
    };
  },
});
