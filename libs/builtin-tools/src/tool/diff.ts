import type { ParameterDefinitions } from './define-tool.js';

/** Code that the tools of the capability `text.diff` share. */

/** Characters. */
const MAX_LENGTH = 100_000;
const document = { type: 'string', maxLength: MAX_LENGTH };

export const diffParameters = {
  before: { schema: document, en: 'The older text.', zh: '旧文本。', required: true },
  after: { schema: document, en: 'The newer text.', zh: '新文本。', required: true },
} satisfies ParameterDefinitions;

export const sampleDiff = { before: 'red\ngreen\nblue\n', after: 'red\nyellow\nblue\n' } as const;

/** Milliseconds for the comparison itself. */
export const DIFF_TIMEOUT_MS = 1_000;
