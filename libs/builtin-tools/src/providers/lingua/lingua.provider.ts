import type { ProviderDefinition } from '@capability-router/contracts';

export const lingua: ProviderDefinition = {
  providerId: 'lingua',
  name: { en: 'Lingua', zh: '语言工坊' },
  description: {
    en: 'Understanding text: its language, mood, reading level and phone numbers; numbers in words and pinyin.',
    zh: '理解文本：语言、情绪、阅读难度与电话号码；数字转文字与汉语拼音。',
  },
};
