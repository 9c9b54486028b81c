import type { ProviderDefinition } from '@capability-router/contracts';

export const almanac: ProviderDefinition = {
  providerId: 'almanac',
  name: { en: 'Almanac', zh: '历书' },
  description: {
    en: 'Time zones, calendar arithmetic and public holidays of the world.',
    zh: '时区、日历计算与世界各地公共假日。',
  },
  websiteUrl: 'https://moment.github.io/luxon',
};
