import { Command, InvalidArgumentError } from 'commander';
import {
  coinDecimals,
  decimal,
  lineNames,
  missingOf,
  monthOf,
  RevenueBook,
  revenueJson,
  type BookableEntry,
  type Lines,
  type Period,
  type Revenue,
} from '@capability-router/billing/revenue';
import type { GlobalOptions } from '../admin-api.js';
import { Gateway } from '../gateway/gateway.js';
import { startProgress } from '../progress.js';
import { table } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { exportLedger } from './export-ledger.js';
import { FINANCE_SCOPE, ledgerPages } from './ledger-pages.js';

/** `caprouter finance …`: what finance books. */
export function financeCommand(terminal: Terminal): Command {
  const finance = new Command('finance').description('what finance books, from the ledger of all accounts');
  const { out } = terminal;

  finance
    .command('revenue')
    .description('deferred, recognised and expired credits of a month by category, and the money paid for them')
    .requiredOption('--month <month>', 'YYYY-MM, of UTC, by when entries were booked', periodOf)
    .option('--account <id>', 'of one account; without it of all')
    .action(async ({ month, account }: { month: Period; account?: string }, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const book = new RevenueBook(month);
      for await (const entry of allEntries(global, terminal))
        if (account === undefined || entry.accountId === account) book.add(entry);
      const revenue = book.report(coinDecimals);
      requireWhole(revenue);
      if (account !== undefined && revenue.entries === 0) {
        const nothing = `the ledger has no entry of account ${account} up to the end of that month`;
        throw new CommandError(exitCodes.failed, nothing, ['Compare the id with caprouter accounts list']);
      }
      const isOver = month.beforeMs <= Date.now();
      if (global.json === true) return out(JSON.stringify({ is_over: isOver, ...revenueJson(revenue) }));
      const credits = [...revenue.credits].map(([category, lines]) => [category, ...cellsOf(lines)]);
      for (const line of table(['credits', ...lineNames], credits)) out(line);
      const money = [...revenue.money].map(([currency, lines]) => [
        currency,
        ...cellsOf(lines),
        decimal(lines.rounding),
      ]);
      if (money.length > 0) for (const line of table(['money', ...lineNames, 'rounding'], money)) out(line);
      out(`ledger  ${decimal(revenue.ledger)}  of ${revenue.entries} entries`);
      if (!isOver) out(unfinished(month));
    });

  finance
    .command('export')
    .description('the ledger of all accounts, a JSON object a line, in the order in which it was booked')
    .argument('<file>', 'where it is saved; a file of that name is replaced at the end')
    .option('--after <cursor>', 'what was booked after an earlier export, by the cursor that it ended with')
    .action(async (file: string, { after }: { after?: string }, command: Command) => {
      await exportLedger(file, after, command.optsWithGlobals<GlobalOptions>(), terminal);
    });
  return finance;
}

function periodOf(text: string): Period {
  const month = monthOf(text);
  if (month === undefined) throw new InvalidArgumentError('It is a month such as 2026-03.');
  return month;
}

/** An entry of the export, which names its account. */
type ExportedEntry = BookableEntry & { readonly accountId: string };

async function* allEntries(global: GlobalOptions, terminal: Terminal): AsyncGenerator<ExportedEntry> {
  const gateway = Gateway.from(global, terminal, FINANCE_SCOPE);
  const progress = await startProgress(terminal, global, { unit: 'entries' });
  let entries = 0;
  try {
    for await (const page of ledgerPages(gateway)) {
      entries += page.entries.length;
      progress.report(entries);
      yield* page.entries as readonly unknown[] as readonly ExportedEntry[];
    }
  } finally {
    progress.end();
  }
}

/** Throws where the lines would leave something of the ledger out. */
function requireWhole(revenue: Revenue): void {
  const missing = missingOf(revenue);
  if (missing !== undefined)
    throw new CommandError(exitCodes.failed, missing, ['Update billing, and run caprouter reconcile']);
}

const unfinished = ({ fromMs, beforeMs }: Period): string =>
  fromMs > Date.now()
    ? 'This month has not begun: there is nothing to book yet.'
    : `This month is not over: nothing here is final before ${new Date(beforeMs).toISOString()}.`;

const cellsOf = (lines: Lines<bigint>): string[] => lineNames.map((name) => decimal(lines[name]));
