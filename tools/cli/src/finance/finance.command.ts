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
import { Gateway, objectIn } from '../gateway/gateway.js';
import { refusal } from '../gateway/refusal.js';
import { table } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const PATH = '/admin/v1/ledger-entries';
const SCOPE = 'admin';
const PAGE_SIZE = 1_000;
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
      for await (const entry of allEntries(Gateway.from(global, terminal, SCOPE)))
        if (account === undefined || entry.accountId === account) book.add(entry);
      const revenue = book.report(coinDecimals);
      requireWhole(revenue);
      if (global.json === true) return out(JSON.stringify(revenueJson(revenue)));
      const credits = [...revenue.credits].map(([category, lines]) => [category, ...cellsOf(lines)]);
      for (const line of table(['credits', ...lineNames], credits)) out(line);
      const money = [...revenue.money].map(([currency, lines]) => [
        currency,
        ...cellsOf(lines),
        decimal(lines.rounding),
      ]);
      if (money.length > 0) for (const line of table(['money', ...lineNames, 'rounding'], money)) out(line);
      out(`ledger  ${decimal(revenue.ledger)}  of ${revenue.entries} entries`);
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

/** Every entry, page after page, until there is no more. */
async function* allEntries(gateway: Gateway): AsyncGenerator<ExportedEntry> {
  for (let cursor = ''; ;) {
    const query = `?page_size=${PAGE_SIZE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { response, text } = await gateway.send('GET', `${PATH}${query}`);
    if (!response.ok) throw refusal(response.status, objectIn(text) ?? {}, SCOPE);
    const lines = text.split('\n').filter(Boolean);
    for (const line of lines) {
      const entry = objectIn(line);
      if (typeof entry?.['cursor'] !== 'string') throw gateway.noGateway(response.status);
      ({ cursor } = entry as { cursor: string });
      yield entry as unknown as ExportedEntry;
    }
    if (lines.length === 0) return;
  }
}

/** Throws where the lines would leave something of the ledger out. */
function requireWhole(revenue: Revenue): void {
  const missing = missingOf(revenue);
  if (missing !== undefined)
    throw new CommandError(exitCodes.failed, missing, ['Update billing, and run caprouter reconcile']);
}

const cellsOf = (lines: Lines<bigint>): string[] => lineNames.map((name) => decimal(lines[name]));
