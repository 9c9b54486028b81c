import type { ParameterDefinitions } from './define-tool.js';

/** Code that the tools of the capability `text.slugify` share. */
export const slugParameters = {
  text: {
    schema: { type: 'string', minLength: 1, maxLength: 1_000 },
    en: 'Title or name.',
    zh: '标题或名称。',
    required: true,
  },
  separator: {
    schema: { type: 'string', enum: ['-', '_', '.'], default: '-' },
    en: 'What stands between words.',
    zh: '单词之间的分隔符。',
  },
} satisfies ParameterDefinitions;

export const sampleSlug = { text: 'Déjà vu: 10 ways' } as const;
