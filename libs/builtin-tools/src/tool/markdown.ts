import type { JsonObject } from '@capability-router/kernel';
import type { ParameterDefinitions } from './define-tool.js';
import { text } from './parameters.js';
import { ToolInputError } from './tool-input-error.js';

/** What the tools of the capability `text.markdown_to_html` share. */

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

export function markdownOf(parameters: JsonObject): string {
  const markdown = text(parameters, 'markdown');
  if (tooDeep.test(markdown)) {
    throw new ToolInputError(`The Markdown nests quotes or lists over ${MAX_MARKDOWN_NESTING} levels. Flatten it.`);
  }
  return markdown;
}
