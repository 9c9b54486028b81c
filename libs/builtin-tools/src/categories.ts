import type { CategoryDefinition } from '@capability-router/contracts';

export const builtinCategories: readonly CategoryDefinition[] = [
  {
    slug: 'mathematics',
    name: { en: 'Mathematics', zh: '数学' },
    description: { en: 'Calculation, units and statistics.', zh: '计算、单位与统计。' },
  },
  {
    slug: 'time-and-calendar',
    name: { en: 'Time and calendar', zh: '时间与日历' },
    description: { en: 'Time zones, dates and holidays.', zh: '时区、日期与假日。' },
  },
  {
    slug: 'geography',
    name: { en: 'Geography', zh: '地理' },
    description: { en: 'Countries, cities and distances.', zh: '国家、城市与距离。' },
  },
  {
    slug: 'language-and-text',
    name: { en: 'Language and text', zh: '语言与文本' },
    description: { en: 'What a text says and in which language.', zh: '文本的语言与内容分析。' },
  },
  {
    slug: 'data-formats',
    name: { en: 'Data formats', zh: '数据格式' },
    description: { en: 'Conversion between formats, and codes to print.', zh: '格式转换与可打印的编码。' },
  },
  {
    slug: 'communication',
    name: { en: 'Communication', zh: '通信' },
    description: { en: 'Phone numbers and other ways to reach people.', zh: '电话号码及其他联系方式。' },
  },
  {
    slug: 'validation',
    name: { en: 'Validation', zh: '校验' },
    description: {
      en: 'Is a number, code or address well formed? IBAN, cards, ISBN, e-mail and more.',
      zh: '号码、编码或地址是否合规：IBAN、卡号、ISBN、邮箱等。',
    },
  },
  {
    slug: 'finance',
    name: { en: 'Finance', zh: '金融' },
    description: { en: 'Currencies, bank accounts, cards and securities.', zh: '货币、银行账号、支付卡与证券。' },
  },
  {
    slug: 'developer-tools',
    name: { en: 'Developer tools', zh: '开发者工具' },
    description: {
      en: 'Queries, patterns, hashes, encodings, identifiers, versions and schedules.',
      zh: '查询、正则、哈希、编码、标识符、版本与定时计划。',
    },
  },
];
