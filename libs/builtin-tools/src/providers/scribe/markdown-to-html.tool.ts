import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { markdownOf, markdownParameters, sampleMarkdown } from '../../tool/markdown.js';
import { lazy } from '../../tool/operation.js';
import { flag } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';

/** Characters. */
const MAX_MARKDOWN_LENGTH = 100_000;

/** Marks of emphasis and links. */
const MAX_MARKS = 25_000;

const loadMarkdown = lazy(async () => (await import('markdown-it')).default);

export const markdownToHtml = defineTool({
  toolId: 'scribe.markdown.to_html.v1',
  name: { en: 'Markdown to HTML', zh: 'Markdown 转 HTML' },
  description: {
    en: 'Renders Markdown with tables, strikethrough and automatic links as safe HTML: raw HTML is escaped and script links are dropped. For web pages, e-mails and chat messages.',
    zh: '将 Markdown（含表格、删除线、自动链接）渲染为安全的 HTML：原始 HTML 会被转义，脚本链接会被移除。适合网页、邮件与聊天消息。',
  },
  categories: ['language-and-text', 'data-formats'],
  capabilities: [{ id: 'text.markdown_to_html', tags: ['render', 'commonmark', 'sanitize', 'format'] }],
  parameters: {
    ...markdownParameters(MAX_MARKDOWN_LENGTH),
    line_breaks: {
      schema: { type: 'boolean', default: false },
      en: 'Turn single line breaks into <br>.',
      zh: '是否将单个换行转换为 <br>。',
    },
    smart_quotes: {
      schema: { type: 'boolean', default: false },
      en: 'Turn straight quotes and dashes into typographic ones.',
      zh: '是否使用排版引号与破折号。',
    },
  },
  sampleParameters: sampleMarkdown,
  price: perKilobyte('0.02', '0.1', 'markdown', MAX_MARKDOWN_LENGTH),
  run: async (parameters) => {
    const MarkdownIt = await loadMarkdown();
    const renderer = new MarkdownIt({
      html: false,
      linkify: true,
      breaks: flag(parameters, 'line_breaks', false),
      typographer: flag(parameters, 'smart_quotes', false),
    });
    return { html: parseNested('The Markdown', () => renderer.render(markdownOf(parameters, MAX_MARKS))) };
  },
});
