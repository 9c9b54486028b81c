import { describe, expect, it } from '@jest/globals';
import { ToolInputError } from '../../tool/tool-input-error.js';
import { loadHtmlToText } from './html.js';

const nested = (levels: number): string => `${'<div>'.repeat(levels)}text${'</div>'.repeat(levels)}`;

describe('plain text of HTML', () => {
  it('is read through as many levels as pages have', async () => {
    const toText = await loadHtmlToText();
    expect(toText(nested(250), false)).toBe('text');
  });

  it.each([
    ['more levels than are read', nested(400)],
    ['far more, by which reading ends', nested(20_000)],
    ['more that nobody closes', '<div><p>'.repeat(20_000)],
  ])('is refused with %s', async (_, html) => {
    const toText = await loadHtmlToText();
    expect(() => toText(html, false)).toThrow(ToolInputError);
    expect(() => toText(html, false)).toThrow('nests over 300 levels');
  });
});
