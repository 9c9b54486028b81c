import { describe, expect, it } from '@jest/globals';
import { createProgress } from '../bin/progress.mjs';

/** The output to a terminal of 40 columns, or to a file. */
function told(isTTY: boolean): { readonly written: string[]; readonly progress: ReturnType<typeof createProgress> } {
  const written: string[] = [];
  const progress = createProgress({ isTTY, columns: 40, write: (text) => written.push(text) });
  return { written, progress };
}

describe('progress', () => {
  it('is one plain line a step where there is no terminal, however often it is told', () => {
    const { written, progress } = told(false);
    progress.step('Building');
    progress.step('Building');
    progress.detail('50 of 100 files');
    progress.step('Creating the database');
    progress.end();
    expect(written.join('')).toBe('Building …\nCreating the database …\n');
  });

  it('is one line on a terminal that is rewritten, never wraps, and is gone at the end', () => {
    const { written, progress } = told(true);
    progress.step('Building');
    progress.detail('50 of 100 files');
    progress.step('A step whose name is longer than the terminal is wide');
    progress.end();
    expect(written.join('')).not.toContain('\n');
    expect(written.every((text) => text.startsWith('\r\u001b[2K'))).toBe(true);
    expect(written.map((text) => text.slice(5).length).every((length) => length < 40)).toBe(true);
    expect(written[1]).toContain('Building … 50 of 100 files');
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('knows the step under way, for whoever interrupts it', () => {
    const { progress } = told(false);
    progress.step('Building');
    expect(progress.current).toBe('Building');
    progress.end();
    expect(progress.current).toBe('');
  });
});
