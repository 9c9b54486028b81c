import { defineTool } from '../../tool/define-tool.js';
import { parseNested } from '../../tool/depth-error.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';
import { htmlParameters, loadHtmlToText, MAX_HTML_LENGTH } from './html.js';

const loadReader = lazy(async () => {
  const [{ parseHTML }, readability] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  return { parseHTML, Readability: readability.default.Readability };
});

/** Elements, and levels of them: what the scoring of paragraphs goes through in a second or two. */
const MAX_ELEMENTS = 12_000;
const MAX_DEPTH = 500;
/** How many `<`, `>` and `&` may stand outside tags. */
const MAX_STRAY_MARKS = 30_000;

export const extractArticle = defineTool({
  toolId: 'scribe.article.extract.v1',
  name: { en: 'Extract the article from a web page', zh: '网页正文提取' },
  description: {
    en: 'Finds the main article in the HTML of a web page and drops menus, advertisements and footers: title, author, date, excerpt and clean text (Mozilla Readability, the reader view of Firefox).',
    zh: '从网页 HTML 中提取正文，去除菜单、广告与页脚，返回标题、作者、日期、摘要与纯净文本（Mozilla Readability，即 Firefox 阅读模式）。',
  },
  categories: ['language-and-text'],
  capabilities: [{ id: 'web.extract_article', tags: ['readability', 'reader mode', 'boilerplate', 'news', 'scrape'] }],
  parameters: htmlParameters,
  sampleParameters: { html: samplePage() },
  price: perKilobyte('0.05', '0.5', 'html', MAX_HTML_LENGTH),
  timeoutMs: 8_000,
  run: async (parameters) => {
    const [{ parseHTML, Readability }, toText] = await Promise.all([loadReader(), loadHtmlToText()]);
    const html = text(parameters, 'html');
    // Counted before it is parsed: the parser itself takes quadratic time over what is never closed.
    if (count(html, /<[a-z]/gi) > MAX_ELEMENTS) throw tooMuch();
    // Each makes a piece of text of its own, as many tags as there are taken out.
    if (count(html, /[<>&]/g) - 2 * count(html, /<[a-z/!?]/gi) > MAX_STRAY_MARKS) throw tooManyMarks();
    const article = parseNested('The HTML', () => {
      const { document } = parseHTML(asPage(html)) as unknown as ParsedPage;
      expectModest(document.documentElement);
      return new Readability(document).parse();
    });
    const content = article?.content ?? '';
    const plain = parseNested('The HTML', () => toText(content, false));
    if (article === null || plain === '') return null;
    return {
      title: article.title ?? null,
      author: article.byline ?? null,
      published: article.publishedTime ?? null,
      site: article.siteName ?? null,
      language: article.lang ?? null,
      excerpt: article.excerpt ?? null,
      text: plain,
    };
  },
});

/** The parser makes a document only of what has a root. */
const asPage = (html: string): string => (/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);

/** The part of the DOM that is used here: this library's types need those of a browser. */
interface ParsedPage {
  readonly document: { readonly documentElement: ElementNode };
}

interface ElementNode {
  readonly firstElementChild: ElementNode | null;
  readonly nextElementSibling: ElementNode | null;
}

/** Throws `ToolInputError` for a page on which the reader would work for minutes. */
function expectModest(root: ElementNode): void {
  const open: (readonly [element: ElementNode, depth: number])[] = [[root, 0]];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, depth] = next;
    count += 1;
    if (count > MAX_ELEMENTS || depth > MAX_DEPTH) throw tooMuch();
    for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) {
      open.push([child, depth + 1]);
    }
  }
}

const count = (html: string, pattern: RegExp): number => html.match(pattern)?.length ?? 0;

const tooManyMarks = (): ToolInputError =>
  new ToolInputError(
    `The page has over ${MAX_STRAY_MARKS} of the characters <, > and & in its text. Send its main part.`,
  );

const tooMuch = (): ToolInputError =>
  new ToolInputError(
    `The page has over ${MAX_ELEMENTS} elements, or nests them over ${MAX_DEPTH} levels. Send its main part.`,
  );

function samplePage(): string {
  const sentence = 'The bridge was opened in the spring, after four years of work, and many people came to see it.';
  return (
    '<html lang="en"><head><title>A new bridge</title></head><body><nav><a href="/">Home</a></nav>' +
    `<article><h1>A new bridge</h1>${`<p>${sentence}</p>`.repeat(6)}</article><footer>Imprint</footer></body></html>`
  );
}
