import type { ProviderDefinition } from '@capability-router/contracts';

export const formula: ProviderDefinition = {
  providerId: 'formula',
  name: { en: 'Formula', zh: '公式' },
  description: {
    en: 'Exact calculation: expressions, physical units and statistics.',
    zh: '精确计算：表达式、物理单位与统计。',
  },
  websiteUrl: 'https://mathjs.org',
};
