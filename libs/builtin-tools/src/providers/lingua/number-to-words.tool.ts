import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const modules = {
  en: () => import('n2words/en-US'),
  zh: () => import('n2words/zh-Hans-CN'),
  'zh-Hant': () => import('n2words/zh-Hant-TW'),
  de: () => import('n2words/de-DE'),
  fr: () => import('n2words/fr-FR'),
  es: () => import('n2words/es-ES'),
  it: () => import('n2words/it-IT'),
  pt: () => import('n2words/pt-PT'),
  nl: () => import('n2words/nl-NL'),
  ja: () => import('n2words/ja-JP'),
  ko: () => import('n2words/ko-KR'),
  ru: () => import('n2words/ru-RU'),
  ar: () => import('n2words/ar-SA'),
  hi: () => import('n2words/hi-IN'),
} as const;

type Code = keyof typeof modules;
type ToCardinal = (number: string, options?: { readonly formal: boolean }) => string;

/** All of them with the first call, so that no later one waits for a language. */
const loadLanguages = lazy(async () => {
  const loaded = Object.entries(modules).map(async ([code, load]) => [code, (await load()).toCardinal as ToCardinal]);
  return Object.fromEntries(await Promise.all(loaded)) as Readonly<Record<Code, ToCardinal>>;
});

const known = (code: string): code is Code => Object.hasOwn(modules, code);

export const numberToWords = defineTool({
  toolId: 'lingua.number.to_words.v1',
  name: { en: 'Write a number in words', zh: '数字转文字（含中文大写）' },
  description: {
    en: 'Spells a number out in English, Chinese (plain or the formal financial numerals) and twelve more languages, as for cheques, invoices and contracts.',
    zh: '将数字写成文字：支持英文、中文（小写或财务大写）及另外十余种语言，适用于支票、发票与合同。',
  },
  categories: ['language-and-text', 'finance'],
  capabilities: [{ id: 'text.number_to_words', tags: ['spell out', 'cheque', 'invoice', '大写金额'] }],
  parameters: {
    number: {
      schema: { type: 'string', pattern: '^-?\\d{1,15}(\\.\\d{1,6})?$', examples: ['1234.5'] },
      en: 'Decimal number as text, with a point for decimals.',
      zh: '以文本给出的十进制数，小数点用 "."。',
      required: true,
    },
    language: {
      schema: { type: 'string', enum: Object.keys(modules), default: 'en' },
      en: 'Language of the words.',
      zh: '输出语言。',
    },
    formal: {
      schema: { type: 'boolean', default: false },
      en: 'Chinese only: the financial numerals (壹贰叁) that cannot be altered.',
      zh: '仅中文：使用财务大写（壹贰叁）。',
    },
  },
  sampleParameters: { number: '1234', language: 'en' },
  price: perCall('0.1'),
  run: async (parameters) => {
    const code = text(parameters, 'language', 'en');
    const number = text(parameters, 'number');
    if (!known(code)) return null;
    const toCardinal = (await loadLanguages())[code];
    // Our default of `formal` is false, the library's is true; other languages do not know the option.
    const chinese = code === 'zh' || code === 'zh-Hant';
    const words = chinese ? toCardinal(number, { formal: parameters['formal'] === true }) : toCardinal(number);
    return { number, language: code, words };
  },
});
