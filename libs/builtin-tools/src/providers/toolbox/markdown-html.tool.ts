import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { markdownOf, markdownParameters, sampleMarkdown } from '../../tool/markdown.js';
import { lazy } from '../../tool/operation.js';
import { perCall } from '../../tool/prices.js';

/** Characters. Some texts take quadratic time. */
const MAX_MARKDOWN_LENGTH = 25_000;

/** Marks of emphasis and links. */
const MAX_MARKS = 2_000;

const loadMicromark = lazy(async () => {
  const { micromark } = await import('micromark');
  const { gfm, gfmHtml } = await import('micromark-extension-gfm');
  return { micromark, gfm, gfmHtml };
});

export const markdownHtml = defineTool({
  toolId: 'toolbox.markdown.to_html.v1',
  name: { en: 'GitHub Markdown to HTML', zh: 'GitHub Markdown 转 HTML' },
  description: {
    en: 'Converts GitHub-flavoured Markdown to safe HTML exactly by the CommonMark specification, with task lists, footnotes and tables. One price for up to 25,000 characters.',
    zh: '严格按 CommonMark 规范将 GitHub 风格 Markdown 转换为安全 HTML，支持任务列表、脚注与表格。两万五千字符以内统一价格。',
  },
  categories: ['language-and-text', 'data-formats'],
  capabilities: [{ id: 'text.markdown_to_html', tags: ['gfm', 'commonmark', 'readme', 'task list'] }],
  parameters: markdownParameters(MAX_MARKDOWN_LENGTH),
  sampleParameters: sampleMarkdown,
  price: perCall('0.4'),
  timeoutMs: 5_000,
  run: async (parameters) => {
    const { micromark, gfm, gfmHtml } = await loadMicromark();
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
    return { html: parseNested('The Markdown', () => micromark(markdownOf(parameters, MAX_MARKS), options)) };
  },
});
