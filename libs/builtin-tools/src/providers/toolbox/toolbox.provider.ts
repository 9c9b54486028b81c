import type { ProviderDefinition } from '@capability-router/contracts';

export const toolbox: ProviderDefinition = {
  providerId: 'toolbox',
  name: { en: 'Toolbox', zh: '工具箱' },
  description: {
    en: 'Small utilities at small prices: CSV, QR codes, and a quick, cheap or free answer to many things that other providers do more thoroughly.',
    zh: '小巧低价的实用工具：CSV、二维码，以及许多其他提供方可更深入完成之事的快速、低价或免费版本。',
  },
};
