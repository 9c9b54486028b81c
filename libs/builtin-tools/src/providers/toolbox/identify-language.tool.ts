import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { describeLanguage, languageSample } from '../../tool/shared-parameters.js';

const loadFranc = lazy(() => import('franc-min'));

const UNDETERMINED = 'und';

export const identifyLanguage = defineTool({
  toolId: 'toolbox.language.identify.v1',
  name: { en: 'Identify the language of a longer text', zh: '长文本语种识别' },
  description: {
    en: 'Tells which of 82 widely spoken languages a paragraph is written in, by its letter patterns. Cheap; needs a sentence or more.',
    zh: '根据字母组合判断段落属于 82 种常用语言中的哪一种。价格低廉，至少需要一句话。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.detect_language', tags: ['language identification', 'trigram'] }],
  parameters: languageSample,
  sampleParameters: { text: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren.' },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { francAll } = await loadFranc();
    const [best, second] = francAll(text(parameters, 'text'));
    if (best === undefined || best[0] === UNDETERMINED) return null;
    // The best score is always 1: what the runner-up is behind by says how sure it is.
    const lead = 1 - (second?.[1] ?? 0);
    return { ...describeLanguage(best[0]), confidence: Math.round(lead * 1_000) / 1_000 };
  },
});
