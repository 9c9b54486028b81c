import { Command } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';

const actions: readonly (readonly [string, string])[] = [
  ['suspend', 'refuse every key of an account until it is resumed'],
  ['resume', 'end a suspension'],
  ['block', 'let an account read but spend nothing, for non-payment'],
  ['unblock', 'end a block for non-payment'],
  ['close', 'end an account and its keys for ever; its history stays'],
];

interface ListOptions {
  readonly state?: string;
  readonly name?: string;
  readonly email?: string;
  readonly cursor?: string;
}

/** `caprouter accounts …`: who there is, and what each may do. */
export function accountsCommand(terminal: Terminal): Command {
  const accounts = new Command('accounts').description('list, suspend, block and close accounts');
  const { out } = terminal;
  const ask = askAdmin(terminal);

  accounts
    .command('list')
    .description('accounts with their state and balance, the newest first')
    .option('--state <state>', 'active, suspended, payment_required or closed')
    .option('--name <text>', 'the beginning of the name; in the order of names')
    .option('--email <address>', 'the whole address')
    .option('--cursor <cursor>', 'go on after a page')
    .action(async (options: ListOptions, command: Command) => {
      const { state, name, email, cursor } = options;
      const given = Object.entries({ state, name, email, cursor }).filter(([, value]) => value !== undefined);
      const query = given.map(([member, value]) => `${member}=${encodeURIComponent(String(value))}`).join('&');
      const data = await ask(command, 'GET', `/accounts${query === '' ? '' : `?${query}`}`);
      if (data === undefined) return;
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no accounts');
      const rows = items.map((item) => [
        String(item['account_id']),
        String(item['kind']),
        String(item['state']),
        shown(item['balance_credits'], '?'),
        String(item['name']),
        shown(item['email']),
      ]);
      for (const line of table(['account', 'kind', 'state', 'credits', 'name', 'e-mail'], rows)) out(line);
      if (typeof data['next_cursor'] === 'string') out(`more: --cursor ${data['next_cursor']}`);
    });

  for (const [action, description] of actions) {
    accounts
      .command(action)
      .description(description)
      .argument('<account>', 'id of the account')
      .action(async (account: string, _options: unknown, command: Command) => {
        const data = await ask(command, 'POST', `/accounts/${encodeURIComponent(account)}:${action}`);
        if (data === undefined) return;
        const pending = data['pending'] === true ? '  pending: not every gateway has confirmed it yet; ask again' : '';
        out(`${String(data['account_id'])}  ${String(data['state'])}${pending}`);
      });
  }

  return accounts;
}
