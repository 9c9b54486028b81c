import type { ProviderDefinition } from '@capability-router/contracts';

export const lingua: ProviderDefinition = {
  providerId: 'lingua',
  name: { en: 'Lingua', zh: '语言工坊' },
  description: {
    en: 'Understanding text: its language, its mood, the phone numbers in it.',
    zh: '理解文本：语言、情绪与电话号码。',
  },
};
