import { saveAs } from '../exports/save-as.js';
import { Gateway, type GlobalOptions } from '../gateway/gateway.js';
import { startProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { FINANCE_SCOPE, ledgerPages } from './ledger-pages.js';

/**
 * Saves the entries of all accounts that stand behind `cursor`, one JSON object a line, in the order in which they were booked.
 * @throws CommandError where they are not there whole
 */
export async function exportLedger(
  file: string,
  cursor: string | undefined,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const gateway = Gateway.from(global, terminal, FINANCE_SCOPE);
  const progress = await startProgress(terminal, global, { unit: 'entries' });
  let [entries, last] = [0, cursor];
  const lines = async function* (): AsyncGenerator<string> {
    for await (const page of ledgerPages(gateway, cursor)) {
      entries += page.lines.length;
      last = page.cursor;
      progress.report(entries);
      yield `${page.lines.join('\n')}\n`;
    }
  };
  try {
    await saveAs(file, lines(), terminal);
  } finally {
    progress.end();
  }
  if (global.json === true) return terminal.out(JSON.stringify({ file, entries, cursor: last ?? null }));
  terminal.out(`${file}: ${entries} entries`);
  if (last !== undefined) terminal.out(`what comes after them: --after ${last}`);
}
