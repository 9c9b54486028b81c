import { Command } from 'commander';
import type { GlobalOptions } from '../gateway/gateway.js';
import type { Terminal } from '../terminal.js';
import { exportCsv } from './export-csv.js';

interface Dates {
  readonly from?: string;
  readonly to?: string;
}

/** `caprouter usage export`: every request of the account, as CSV. */
export function usageExportCommand(terminal: Terminal): Command {
  return dated(new Command('export'))
    .description('what was asked for and what became of it, all of it, as CSV')
    .action(async (file: string, dates: Dates, command: Command) => {
      const path = `/auth/usage/history/v2/export${queryOf(dates)}`;
      await exportCsv(path, file, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
}

/** `caprouter ledger export`: every movement of the account's balance, as CSV. */
export function ledgerExportCommand(terminal: Terminal): Command {
  return dated(new Command('export'))
    .description('how the balance of an account moved, all of it, as CSV')
    .action(async (file: string, dates: Dates, command: Command) => {
      const path = `/auth/credits/ledger/export${queryOf(dates, { scope: 'all' })}`;
      await exportCsv(path, file, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
}

const dated = (command: Command): Command =>
  command
    .argument('<file>', 'where it is saved; a file of that name is replaced at the end')
    .option('--from <time>', 'from this date or time of ISO 8601 on')
    .option('--to <time>', 'up to this date, which is included, or this time');

function queryOf({ from, to }: Dates, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    ...more,
    ...(from === undefined ? {} : { start_date: from }),
    ...(to === undefined ? {} : { end_date: to }),
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}
