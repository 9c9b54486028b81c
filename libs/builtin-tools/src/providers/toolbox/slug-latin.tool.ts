import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { sampleSlug, slugParameters } from '../../tool/slug.js';

const loadSlugify = lazy(async () => (await import('@sindresorhus/slugify')).default);

export const slugLatin = defineTool({
  toolId: 'toolbox.slug.make.v1',
  name: { en: 'URL slug from a Latin title', zh: '拉丁字母标题生成网址别名' },
  description: {
    en: 'Makes a URL slug of a title in a European or Middle Eastern language (ä becomes ae, é becomes e, & becomes and). Chinese has no answer here. Free.',
    zh: '将欧洲或中东语言的标题转换为网址别名（ä 变为 ae，é 变为 e，& 变为 and）。不支持中文。免费。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'text.slugify', tags: ['permalink', 'url', 'kebab case'] }],
  parameters: slugParameters,
  sampleParameters: sampleSlug,
  price: free,
  run: async (parameters) => {
    const make = await loadSlugify();
    const slug = make(text(parameters, 'text'), { separator: text(parameters, 'separator', '-') });
    return slug === '' ? null : { slug };
  },
});
