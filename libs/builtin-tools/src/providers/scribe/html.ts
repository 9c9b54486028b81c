import type { ParameterDefinitions } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

/** Characters. */
export const MAX_HTML_LENGTH = 400_000;

export const htmlParameters = {
  html: {
    schema: { type: 'string', minLength: 1, maxLength: MAX_HTML_LENGTH },
    en: 'HTML of a page or a fragment. Nothing in it is fetched or run.',
    zh: '网页或片段的 HTML。其中内容不会被下载或执行。',
    required: true,
  },
} satisfies ParameterDefinitions;

/** Stands for what was left out; a code point that no text has. */
const LEFT_OUT = '\uffff';
/** Levels of elements that are read, and children of one element. */
const limits = { maxDepth: 300, maxChildNodes: 20_000, ellipsis: LEFT_OUT, maxInputLength: MAX_HTML_LENGTH } as const;

/** Open elements at which reading ends: a closing tag is looked for among all of them, so that more would take the square of the text. */
const MAX_OPEN_ELEMENTS = 2 * limits.maxDepth;

const tooMuch = (): ToolInputError =>
  new ToolInputError(
    `The HTML nests over ${limits.maxDepth} levels, or one element has over ${limits.maxChildNodes} children. Send a part.`,
  );

/** Plain text of HTML, with paragraphs, lists and tables laid out. */
export const loadHtmlToText = lazy(async () => {
  const [{ convert }, { Parser }] = await Promise.all([import('html-to-text'), import('htmlparser2')]);
  const judgeNesting = (html: string): void => {
    let open = 0;
    new Parser({
      onopentag() {
        open += 1;
        if (open > MAX_OPEN_ELEMENTS) throw tooMuch();
      },
      onclosetag() {
        open -= 1;
      },
    }).end(html);
  };
  return (html: string, keepLinks: boolean): string => {
    judgeNesting(html);
    const plain = convert(html, {
      wordwrap: false,
      limits,
      selectors: [
        { selector: 'a', options: { ignoreHref: !keepLinks, hideLinkHrefIfSameAsText: true } },
        { selector: 'img', format: 'skip' },
        { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
        ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      ],
    });
    if (plain.includes(LEFT_OUT)) throw tooMuch();
    return plain.trim();
  };
});
