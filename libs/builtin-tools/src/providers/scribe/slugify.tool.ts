import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { sampleSlug, slugParameters } from '../../tool/slug.js';

const loadTransliteration = lazy(async () => (await import('transliteration')).slugify);

export const slugify = defineTool({
  toolId: 'scribe.slug.make.v1',
  name: { en: 'URL slug from a title in any script', zh: '标题生成网址别名（支持各种文字）' },
  description: {
    en: 'Makes a short readable name for a URL or a file out of a title in any script: Chinese becomes pinyin, Cyrillic, Arabic and Greek are written in Latin letters.',
    zh: '将任意文字的标题转换为适合网址或文件名的简短别名：中文转拼音，西里尔、阿拉伯、希腊等字母转为拉丁字母。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.slugify', tags: ['permalink', 'file name', 'transliterate', 'romanize'] }],
  parameters: slugParameters,
  sampleParameters: sampleSlug,
  price: perCall('0.1'),
  run: async (parameters) => {
    const make = await loadTransliteration();
    const slug = make(text(parameters, 'text'), { separator: text(parameters, 'separator', '-') });
    return slug === '' ? null : { slug };
  },
});
