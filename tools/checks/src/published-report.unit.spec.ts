import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withReport } from './published-report.js';
import { workspaceRoot } from './workspace.js';

describe('a report in a document', () => {
  it('takes the place of the one before and leaves the rest of the document alone', () => {
    const before = 'a\n<!-- begin long report -->old<!-- end long report -->\nb\n';
    const once = withReport(before, 'long report', 'new');
    expect(once).toBe('a\n<!-- begin long report -->\n\nnew\n\n<!-- end long report -->\nb\n');
    expect(withReport(once, 'long report', 'newer')).not.toContain('new\n');
    expect(() => withReport(before, 'torture report', 'new')).toThrow(/begin torture report/);
  });

  it.each([
    ['docs/contributing/testing.md', 'long report'],
    ['docs/availability.md', 'torture report'],
  ])('has its place in %s', async (path, mark) => {
    const document = await readFile(join(workspaceRoot, path), 'utf8');
    expect(withReport(document, mark, 'A report.')).toContain('\n\nA report.\n\n');
  });
});
