import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { workspaceRoot } from './workspace.js';

/** Puts a report into a document of the repository, at the place that is marked for it. `mark`: `long report`. */
export async function publishReport(path: string, mark: string, report: string): Promise<void> {
  const file = join(workspaceRoot, path);
  const document = withReport(await readFile(file, 'utf8'), mark, report);
  await writeFile(file, (await format(file, document, { printWidth: 120, singleQuote: true })).code);
}

/** Throws where the document has no place for such a report. */
export function withReport(document: string, mark: string, report: string): string {
  const [begin, end] = [`<!-- begin ${mark} -->`, `<!-- end ${mark} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no ${begin} … ${end} to put the report into`);
  return `${document.slice(0, from + begin.length)}\n\n${report}\n\n${document.slice(to)}`;
}
