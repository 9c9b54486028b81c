import type { ProviderDefinition } from '@capability-router/contracts';

export const scribe: ProviderDefinition = {
  providerId: 'scribe',
  name: { en: 'Scribe', zh: '文书' },
  description: {
    en: 'Documents and text: Markdown, HTML, articles, templates, differences and slugs.',
    zh: '文档与文本处理：Markdown、HTML、正文提取、模板、文本比对与网址别名。',
  },
};
