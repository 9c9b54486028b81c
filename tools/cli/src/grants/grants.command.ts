import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const UUID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const AMOUNT_PATTERN = /^-?\d{1,10}(?:\.\d{1,6})?$/;

/** Options of every command that moves credits. */
interface MoveOptions {
  readonly reference?: string;
  readonly note?: string;
  readonly idempotencyKey?: string;
}

/** `caprouter grants …`: what operators do to the credits of accounts. */
export function grantsCommand(terminal: Terminal): Command {
  const grants = new Command('grants').description('top up, refund and correct the credits of accounts');
  const { out } = terminal;

  moving(grants.command('add'))
    .description('grant credits')
    .argument('<account>', 'id of the account')
    .argument('<credits>', 'amount above 0, with at most six decimals')
    .requiredOption('--category <name>', 'purchased, invite_reward, welcome_bonus or trial')
    .option('--paid <amount>', 'money that was paid for purchased credits, such as 12.50; with --currency')
    .option('--currency <code>', 'its currency, such as EUR')
    .option('--expires-at <time>', 'when what is left ends, ISO 8601 with an offset; never, if left out')
    .action(async (account: string, credits: string, options: MoveOptions & Data, command: Command) => {
      const { category, expiresAt, paid, currency } = options;
      const body = {
        category,
        amount_credits: amountOf(credits),
        ...(expiresAt ? { expires_at: expiresAt } : {}),
        ...(paid ? { paid_amount: paid } : {}),
        ...(currency ? { paid_currency: currency } : {}),
      };
      await move(command, account, 'grants', body, options);
    });

  grants
    .command('list')
    .description('grants of an account, newest first, and what is left of each')
    .argument('<account>', 'id of the account')
    .option('--before <grant>', 'go on after the last grant of a page')
    .action(async (account: string, options: { before?: string }, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const query = options.before === undefined ? '' : `?before=${encodeURIComponent(options.before)}`;
      const data = await AdminApi.from(global, terminal).request('GET', `${pathOf(account, 'grants')}${query}`);
      if (global.json === true) return out(JSON.stringify(data));
      const items = data['items'] as Data[];
      for (const item of items) out(describe(item));
      if (items.length === 0) out('no grants');
      if (typeof data['next_before'] === 'string') out(`more: --before ${data['next_before']}`);
    });

  moving(grants.command('refund'))
    .description('give a charge back to the account')
    .argument('<account>', 'id of the account')
    .argument('<charge>', 'exec_…, srch_… or imp_…, the id of the usage event, or the led_… of the charge')
    .option('--credits <amount>', 'all that was not refunded yet, if left out')
    .action(async (account: string, charge: string, options: MoveOptions & { credits?: string }, command: Command) => {
      const body = { [nameOf(charge)]: charge, ...amountIn(options.credits) };
      await move(command, account, 'refunds', body, options);
    });

  moving(grants.command('return-payment'))
    .description('take what is left of a top-up whose money went back to its payer')
    .argument('<account>', 'id of the account')
    .argument('<grant>', 'led_… of the top-up')
    .option('--credits <amount>', 'all that is left and not held, if left out')
    .action(async (account: string, grant: string, options: MoveOptions & { credits?: string }, command: Command) => {
      await move(command, account, 'payment-refunds', { grant_id: grant, ...amountIn(options.credits) }, options);
    });

  moving(grants.command('correct'))
    .description('give (above 0) or take (below 0) what no other command does')
    .argument('<account>', 'id of the account')
    .argument('<credits>', 'amount other than 0; put -- before a negative one')
    .option('--entry <id>', 'led_… of the entry that is undone')
    .option('--category <name>', 'what given credits count as, where no entry is undone')
    .action(async (account: string, credits: string, options: MoveOptions & Data, command: Command) => {
      const { entry, category } = options;
      const body = {
        amount_credits: amountOf(credits),
        ...(entry ? { ledger_entry_id: entry } : {}),
        ...(category ? { category } : {}),
      };
      await move(command, account, 'corrections', body, options);
    });

  return grants;

  async function move(
    command: Command,
    account: string,
    what: string,
    body: Data,
    { reference, note, idempotencyKey = randomUUID() }: MoveOptions,
  ): Promise<void> {
    const global = command.optsWithGlobals<GlobalOptions>();
    const api = AdminApi.from(global, terminal);
    // Before anything is sent: with the key, a lost answer can be asked for again.
    terminal.error(`idempotency key: ${idempotencyKey}`);
    const sent = { ...body, ...(reference ? { reference } : {}), ...(note ? { note } : {}) };
    const data = await api.request('POST', pathOf(account, what), sent, { 'idempotency-key': idempotencyKey });
    if (global.json === true) return out(JSON.stringify(data));
    const id = String(data['ledger_entry_id'] ?? data['grant_id']);
    out(
      `${id}  ${String(data['entry_type'])}  ${String(data['amount_credits'])}  balance ${String(data['balance_credits'])}`,
    );
  }
}

const moving = (command: Command): Command =>
  command
    .option('--reference <text>', 'of your own books; written into the ledger for ever')
    .option('--note <text>', 'for people; goes when the account is erased')
    .option('--idempotency-key <key>', 'give the one of an attempt whose answer was lost; a new one, if left out');

const pathOf = (account: string, what: string): string => `/accounts/${encodeURIComponent(account)}/${what}`;

function amountOf(text: string): number {
  if (AMOUNT_PATTERN.test(text)) return Number(text);
  throw new CommandError(exitCodes.usage, `"${text}" is no amount of credits with at most six decimals`);
}

const amountIn = (text: string | undefined): Data => (text === undefined ? {} : { amount_credits: amountOf(text) });

function nameOf(charge: string): string {
  if (charge.startsWith('exec_')) return 'execution_id';
  if (charge.startsWith('srch_')) return 'search_id';
  if (charge.startsWith('imp_')) return 'source_ref_id';
  return UUID_PATTERN.test(charge) ? 'usage_event_id' : 'ledger_entry_id';
}

function describe(item: Data): string {
  const { grant_id: id, category, remaining_credits: left, amount_credits: granted, expires_at: expiresAt } = item;
  const end = typeof expiresAt === 'string' ? `  ends ${expiresAt}` : '';
  return `${String(id)}  ${String(category)}  ${String(left)} of ${String(granted)}${end}`;
}
