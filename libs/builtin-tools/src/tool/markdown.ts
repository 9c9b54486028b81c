import type { JsonObject } from '@capability-router/kernel';
import type { ParameterDefinitions } from './define-tool.js';
import { text } from './parameters.js';
import { ToolInputError } from './tool-input-error.js';

/** Code that the tools of the capability `text.markdown_to_html` share. */

export const markdownParameters = (maxLength: number) =>
  ({
    markdown: {
      schema: { type: 'string', minLength: 1, maxLength },
      en: 'Markdown text.',
      zh: 'Markdown 文本。',
      required: true,
    },
  }) satisfies ParameterDefinitions;

export const sampleMarkdown = { markdown: '# Hello\n\nSome *emphasis* and <b>raw HTML</b>.\n' } as const;

/** Levels of quotes and lists. Beyond that one library drops what is inside, and the other takes quadratic time. */
export const MAX_MARKDOWN_NESTING = 40;

const tooDeep = new RegExp(`^(?:[ \\t]*>|[ \\t]*(?:[-+*]|\\d{1,9}[.)])[ \\t]){${MAX_MARKDOWN_NESTING + 1}}`, 'm');

/** Characters that may open or close emphasis, links and strikethrough. */
const marks = /[*_~[\]]/g;

/** `maxMarks`: how many of these characters a library reads in time, which it takes by their square. */
export function markdownOf(parameters: JsonObject, maxMarks: number): string {
  const markdown = text(parameters, 'markdown');
  if (tooDeep.test(markdown)) {
    throw new ToolInputError(`The Markdown nests quotes or lists over ${MAX_MARKDOWN_NESTING} levels. Flatten it.`);
  }
  if ((markdown.match(marks)?.length ?? 0) > maxMarks) {
    throw new ToolInputError(`The Markdown has over ${maxMarks} of the characters *_~[]. Send it in parts.`);
  }
  return markdown;
}
