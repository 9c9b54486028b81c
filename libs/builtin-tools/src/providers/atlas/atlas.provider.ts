import type { ProviderDefinition } from '@capability-router/contracts';

export const atlas: ProviderDefinition = {
  providerId: 'atlas',
  name: { en: 'Atlas', zh: '地图集' },
  description: {
    en: 'Countries, currencies, cities and exact distances on the Earth. City data: GeoNames, CC BY 4.0.',
    zh: '国家、货币、城市与地球上的精确距离。城市数据来自 GeoNames（CC BY 4.0）。',
  },
  websiteUrl: 'https://www.geonames.org',
};
