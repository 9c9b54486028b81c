import { Command, InvalidArgumentError } from 'commander';
import {
  RevenueBook,
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
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
/** Millionths. */
const DECIMALS = 6;

/** `caprouter finance …`: what finance books. */
export function financeCommand(terminal: Terminal): Command {
  const finance = new Command('finance').description('what finance books, from the ledger of all accounts');
  const { out } = terminal;

  finance
    .command('revenue')
    .description('deferred, recognised and expired credits of a month by category, and the money paid for them')
    .requiredOption('--month <month>', 'YYYY-MM, of UTC, by when entries were booked', periodOf)
    .action(async ({ month }: { month: Period }, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const book = new RevenueBook(month);
      for await (const entry of allEntries(Gateway.from(global, terminal, SCOPE))) book.add(entry);
      const revenue = book.report(decimalsOf);
      requireWhole(revenue);
      if (global.json === true) return out(JSON.stringify(jsonOf(revenue)));
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
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year === undefined || month === undefined) throw new InvalidArgumentError('It is a month such as 2026-03.');
  const at = (index: number): number => Date.UTC(Number(year), index);
  return { fromMs: at(Number(month) - 1), beforeMs: at(Number(month)) };
}

/** Every entry, page after page, until there is no more. */
async function* allEntries(gateway: Gateway): AsyncGenerator<BookableEntry> {
  for (let cursor = ''; ;) {
    const query = `?page_size=${PAGE_SIZE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { response, text } = await gateway.send('GET', `${PATH}${query}`);
    if (!response.ok) throw refusal(response.status, objectIn(text) ?? {}, SCOPE);
    const lines = text.split('\n').filter(Boolean);
    for (const line of lines) {
      const entry = objectIn(line);
      if (typeof entry?.['cursor'] !== 'string') throw gateway.noGateway(response.status);
      ({ cursor } = entry as { cursor: string });
      yield entry as unknown as BookableEntry;
    }
    if (lines.length === 0) return;
  }
}

/** Throws where the lines would leave something of the ledger out. */
function requireWhole({ credits, ledger, entriesWithoutLots }: Revenue): void {
  const closing = [...credits.values()].reduce((sum, lines) => sum + lines.closing, 0n);
  if (entriesWithoutLots === 0 && closing === ledger) return;
  throw new CommandError(
    exitCodes.failed,
    `${entriesWithoutLots} entries do not tell their lots, and the grants hold ${decimal(closing)} credits where the ledger has ${decimal(ledger)}`,
    ['Update billing, and run caprouter reconcile'],
  );
}

/** As the currency's coins have it; two where the currency is not known. */
const decimalsOf = (currency: string): number =>
  Math.min(
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2,
    DECIMALS,
  );

const lineNames = ['opening', 'granted', 'used', 'refunded', 'expired', 'returned', 'corrected', 'closing'] as const;
const cellsOf = (lines: Lines<bigint>): string[] => lineNames.map((name) => decimal(lines[name]));
const linesOf = (lines: Lines<bigint>): Record<string, string> =>
  Object.fromEntries(lineNames.map((name) => [name, decimal(lines[name])]));

const jsonOf = ({ entries, ledger, credits, money }: Revenue): object => ({
  entries,
  ledger_credits: decimal(ledger),
  credits: Object.fromEntries([...credits].map(([category, lines]) => [category, linesOf(lines)])),
  money: Object.fromEntries(
    [...money].map(([currency, lines]) => [currency, { ...linesOf(lines), rounding: decimal(lines.rounding) }]),
  ),
});

/** Exact: no zeros at the end. */
function decimal(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
