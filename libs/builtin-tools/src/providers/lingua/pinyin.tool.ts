import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';

const loadPinyin = lazy(() => import('pinyin-pro'));

/** Characters. */
const MAX_TEXT_LENGTH = 10_000;

const tones = { marks: 'symbol', numbers: 'num', none: 'none' } as const;
type Tone = keyof typeof tones;

export const pinyinText = defineTool({
  toolId: 'lingua.pinyin.convert.v1',
  name: { en: 'Chinese characters to pinyin', zh: '汉字转拼音' },
  description: {
    en: 'Romanises Chinese text as Hanyu pinyin, with readings chosen by context, for pronunciation, sorting and search keys.',
    zh: '将汉字转换为汉语拼音，按语境判断多音字，可用于注音、排序与检索。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.pinyin', tags: ['romanization', 'transliteration', 'mandarin', '注音', '多音字'] }],
  parameters: {
    text: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
      en: 'Chinese text.',
      zh: '中文文本。',
      required: true,
    },
    tones: {
      schema: { type: 'string', enum: Object.keys(tones), default: 'marks' },
      en: 'How tones are written: marks (zhōng), numbers (zhong1) or none (zhong).',
      zh: '声调写法：marks（zhōng）、numbers（zhong1）或 none（zhong）。',
    },
  },
  sampleParameters: { text: '重庆银行行长' },
  price: perKilobyte('0.1', '0.1', 'text', MAX_TEXT_LENGTH),
  run: async (parameters) => {
    const { pinyin } = await loadPinyin();
    const content = text(parameters, 'text');
    const toneType = tones[text(parameters, 'tones', 'marks') as Tone];
    const options = { toneType, nonZh: 'consecutive' } as const;
    return {
      pinyin: pinyin(content, options),
      initials: pinyin(content, { pattern: 'first', toneType: 'none', nonZh: 'consecutive', type: 'array' }).join(''),
    };
  },
});
