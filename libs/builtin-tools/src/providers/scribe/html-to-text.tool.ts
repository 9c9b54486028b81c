import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { flag, text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { htmlParameters, loadHtmlToText, MAX_HTML_LENGTH } from './html.js';

export const htmlToText = defineTool({
  toolId: 'scribe.html.to_text.v1',
  name: { en: 'HTML to plain text', zh: 'HTML 转纯文本' },
  description: {
    en: 'Turns HTML into readable plain text: tags, scripts and styles go, while paragraphs, lists, tables and, if wanted, links stay. For feeding web pages and HTML mails to a model.',
    zh: '将 HTML 转换为可读的纯文本：去除标签、脚本与样式，保留段落、列表、表格，并可保留链接。适合把网页或 HTML 邮件交给模型阅读。',
  },
  categories: ['language-and-text', 'data-formats'],
  capabilities: [{ id: 'text.html_to_text', tags: ['strip tags', 'web page', 'e-mail', 'clean up'] }],
  parameters: {
    ...htmlParameters,
    keep_links: {
      schema: { type: 'boolean', default: true },
      en: 'Write the address of a link in brackets after its text.',
      zh: '是否在链接文字后以方括号保留网址。',
    },
  },
  sampleParameters: { html: '<h1>News</h1><p>Read <a href="https://example.com/">more</a>.</p><script>x()</script>' },
  price: perKilobyte('0.02', '0.1', 'html', MAX_HTML_LENGTH),
  run: async (parameters) => {
    const convert = await loadHtmlToText();
    const keepLinks = flag(parameters, 'keep_links', true);
    const plain = parseNested('The HTML', () => convert(text(parameters, 'html'), keepLinks));
    return plain === '' ? null : { text: plain };
  },
});
