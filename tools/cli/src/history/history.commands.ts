import { Command } from 'commander';
import type { Schema } from '@capability-router/client';
import { askAgent } from '../ask.js';
import { wholeNumber } from '../calls/read-options.js';
import { usageExportCommand } from '../exports/export.commands.js';
import type { Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';

interface PageOptions {
  readonly limit: number;
  readonly page?: number;
}
interface UsageOptions extends PageOptions {
  readonly execution?: string;
  readonly outcome?: Schema<'UsageEvent'>['charge_outcome'];
}

/** `caprouter usage`: what an account asked for, and what became of it. */
export function usageCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  return paged(new Command('usage').addCommand(usageExportCommand(terminal)))
    .description('what was asked for, what became of it and what it cost, the newest first')
    .option('--execution <id>', 'of this execution alone')
    .option('--outcome <outcome>', 'charge outcome, e.g. charged or failed_not_charged')
    .action(async ({ limit, page, execution, outcome }: UsageOptions, command: Command) => {
      const query = {
        ...pageOf(limit, page),
        ...(execution === undefined ? {} : { execution_id: execution }),
        ...(outcome === undefined ? {} : { charge_outcome: outcome }),
      };
      const data = await ask(command, (router) => router.GET('/auth/usage/history/v2', { params: { query } }));
      if (data === undefined) return;
      const rows = data.items.map((item) => [
        item.created_at,
        shown(item.display_target ?? item.kind),
        shown(item.charge_outcome),
        shown(item.settled_amount_credits ?? item.requested_amount_credits, '0'),
        shown(item.billing_snapshot_status),
        shown(item.credits_ledger_entry_id),
      ]);
      const isFiltered = execution !== undefined || outcome !== undefined;
      const none = isFiltered ? 'no request is like that' : 'nothing was asked for yet';
      show(rows, ['time', 'what', 'outcome', 'credits', 'settlement', 'ledger entry'], none);
    });

  function show(rows: readonly string[][], heads: readonly string[], none: string): void {
    for (const line of rows.length === 0 ? [none] : table(heads, rows)) terminal.out(line);
  }
}

/** `caprouter ledger list`: how the balance moved. */
export function ledgerListCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  return paged(new Command('list'))
    .description('how the balance of an account moved, the newest entry first')
    .action(async ({ limit, page }: PageOptions, command: Command) => {
      const query = pageOf(limit, page);
      const data = await ask(command, (router) => router.GET('/auth/credits/ledger', { params: { query } }));
      if (data === undefined) return;
      const rows = data.items.map((item) => [
        item.created_at,
        item.entry_type,
        String(item.amount_credits),
        String(item.balance_after.total_available_credits),
        item.id,
        item.description,
      ]);
      const heads = ['time', 'entry', 'credits', 'balance', 'id', 'description'];
      for (const line of rows.length === 0 ? ['no entries'] : table(heads, rows)) terminal.out(line);
    });
}

/** `caprouter credits`: what can still be spent. */
export function creditsCommand(terminal: Terminal): Command {
  const ask = askAgent(terminal);
  return new Command('credits')
    .description('what can still be spent, and what it came from')
    .action(async (_options: unknown, command: Command) => {
      const data = await ask(command, (router) => router.GET('/auth/credits'));
      if (data === undefined) return;
      terminal.out(`${data.remaining_credits} credits left, ${data.held_credits} held by open calls`);
      const rows = Object.entries(data)
        .filter((entry): entry is [string, Data] => typeof entry[1] === 'object' && entry[1] !== null)
        .map(([category, { remaining, total, initial }]) => [category, String(remaining), String(total ?? initial)])
        .filter(([, , total]) => total !== '0');
      if (rows.length > 0) for (const line of table(['from', 'left', 'of'], rows)) terminal.out(line);
    });
}

function paged(command: Command): Command {
  return command
    .option('--limit <count>', 'rows at most, up to 50', wholeNumber, 10)
    .option('--page <number>', 'which page of that many rows', wholeNumber);
}

const pageOf = (limit: number, page: number | undefined): { readonly limit: number; readonly page?: number } => ({
  limit,
  ...(page === undefined ? {} : { page }),
});
