import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Options of every decision. */
interface DecisionOptions {
  readonly note: string;
  readonly reference?: string;
  readonly idempotencyKey?: string;
}

/** Options of `list`, and the parameters that they become. */
const filters = {
  state: 'state',
  kind: 'kind',
  account: 'account_id',
  execution: 'execution_id',
  limit: 'page_size',
  cursor: 'cursor',
} as const;
type ListOptions = Readonly<Partial<Record<keyof typeof filters, string>>>;

/** `caprouter exceptions …`: what billing asks people to decide. */
export function exceptionsCommand(terminal: Terminal): Command {
  const exceptions = new Command('exceptions').description('read the exceptions queue of billing, and decide');
  const { out } = terminal;

  exceptions
    .command('list')
    .description('exceptions, newest first')
    .option('--state <state>', 'open (if left out), closed or all')
    .option('--kind <kind>', 'e.g. failed_charged_review, missing_hold')
    .option('--account <id>', 'acc_…')
    .option('--execution <id>', 'exec_…, srch_… or imp_…')
    .option('--limit <rows>', '1 to 200; 50, if left out')
    .option('--cursor <cursor>', 'go on where a page ended, with the same filters')
    .action(async (options: ListOptions, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('GET', `/exceptions${queryOf(options)}`);
      if (global.json === true) return out(JSON.stringify(data));
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no exceptions');
      for (const line of table(heads, items.map(cellsOf))) out(line);
      if (typeof data['next_cursor'] === 'string') out(`more: --cursor ${data['next_cursor']}`);
    });

  exceptions
    .command('show')
    .description('one exception, and what was decided about it')
    .argument('<exception>', 'xcp_…')
    .action(async (id: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('GET', pathOf(id));
      if (global.json === true) return out(JSON.stringify(data));
      const { history, ...fields } = data;
      for (const line of table(['FIELD', 'VALUE'], Object.entries(fields).map(fieldOf))) out(line);
      for (const action of history as Data[]) out(actionLine(action));
    });

  decision('refund', 'give back all that is left of the charge');
  decision('confirm', 'leave everything as it was recorded');
  decision('write-off', 'give up what was not collected');
  return exceptions;

  function decision(name: string, description: string): void {
    exceptions
      .command(name)
      .description(description)
      .argument('<exception>', 'xcp_…')
      .requiredOption('--note <text>', 'why, for people; goes when the account is erased')
      .option('--reference <text>', 'of your own books; stays')
      .option('--idempotency-key <key>', 'give the one of an attempt whose answer was lost; a new one, if left out')
      .action(async (id: string, options: DecisionOptions, command: Command) => {
        const global = command.optsWithGlobals<GlobalOptions>();
        const { note, reference, idempotencyKey = randomUUID() } = options;
        const api = AdminApi.from(global, terminal);
        // Before anything is sent: with the key, a lost answer can be asked for again.
        terminal.error(`idempotency key: ${idempotencyKey}`);
        const body = { note, ...(reference === undefined ? {} : { reference }) };
        const data = await api.request('POST', `${pathOf(id)}/${name}`, body, { 'idempotency-key': idempotencyKey });
        out(global.json === true ? JSON.stringify(data) : decidedLine(data));
      });
  }
}

const pathOf = (id: string): string => `/exceptions/${encodeURIComponent(id)}`;

function queryOf(options: ListOptions): string {
  const query = new URLSearchParams();
  for (const [option, parameter] of Object.entries(filters) as [keyof ListOptions, string][]) {
    const value = options[option];
    if (value !== undefined) query.set(parameter, value);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const heads = ['EXCEPTION', 'STATE', 'KIND', 'ACCOUNT', 'OF', 'CHARGED', 'REFUNDED', 'UNCOLLECTED', 'RAISED', 'CAN'];
const columns = [
  'exception_id',
  'state',
  'kind',
  'account_id',
  'source_ref_id',
  'charged_credits',
  'refunded_credits',
  'uncollected_credits',
  'raised_at',
  'actions',
];
const cellsOf = (item: Data): string[] => columns.map((column) => textOf(item[column]));
const fieldOf = ([name, value]: [string, unknown]): string[] => [name, textOf(value)];

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '-';
}

function actionLine(action: Data): string {
  const { action: what, acted_by: by, acted_at: at, ...more } = action;
  const rest = Object.entries(more).map(([name, value]) => `${name} ${textOf(value)}`);
  return [`${textOf(what)} by ${textOf(by)} at ${textOf(at)}`, ...rest].join('  ');
}

function decidedLine(data: Data): string {
  const refund = data['refund'] as Data | undefined;
  const amount = refund?.['amount_credits'] ?? data['amount_credits'];
  const parts = [data['exception_id'], data['state'], data['kind'], data['account_id']].map(textOf);
  if (amount !== undefined) parts.push(textOf(amount));
  if (refund !== undefined)
    parts.push(textOf(refund['ledger_entry_id']), `balance ${textOf(refund['balance_credits'])}`);
  return parts.join('  ');
}
