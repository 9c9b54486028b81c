import type { ProviderDefinition } from '@capability-router/contracts';

export const almanac: ProviderDefinition = {
  providerId: 'almanac',
  name: { en: 'Almanac', zh: '历书' },
  description: {
    en: 'Time zones, calendar arithmetic, public holidays of the world, schedules, sun and moon, and the Chinese calendar.',
    zh: '时区、日历计算、世界各地公共假日、定时计划、日月时刻与农历。',
  },
  websiteUrl: 'https://moment.github.io/luxon',
};
