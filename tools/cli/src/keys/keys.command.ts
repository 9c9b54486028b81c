import { Command } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { ownKeysCommand } from './own-keys.commands.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

/** `caprouter keys …`: what operators decide about the API keys of accounts, and the keys of one's own. */
export function keysCommand(terminal: Terminal): Command {
  const keys = new Command('keys').description('scopes and revocation of the API keys of accounts; the own ones');
  keys.addCommand(ownKeysCommand(terminal));
  const { out } = terminal;
  const ask = askAdmin(terminal);

  keys
    .command('narrowed')
    .description('keys that can do less since scopes mean what they say, until one is granted to them')
    .option('--after <key>', 'go on after the last key of a page')
    .action(async (options: { after?: string }, command: Command) => {
      const query = options.after === undefined ? '' : `?after=${encodeURIComponent(options.after)}`;
      const data = await ask(command, 'GET', `/narrowed-api-keys${query}`);
      if (data === undefined) return;
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no keys');
      const rows = items.map((item) => [
        String(item['api_key_id']),
        String(item['account_id']),
        listOf(item['scopes']),
        listOf(item['lost_scopes']),
        String(item['name']),
      ]);
      for (const line of table(['key', 'account', 'has', 'lost', 'name'], rows)) out(line);
      if (typeof data['next_after'] === 'string') out(`more: --after ${data['next_after']}`);
    });

  keys
    .command('grant')
    .description('give a key scopes beside those that it has; one that it has takes it off the list of narrowed keys')
    .argument('<key>', 'id of the key')
    .argument('<scopes...>', 'call, read, manage or admin')
    .action(async (key: string, scopes: string[], _options: unknown, command: Command) => {
      const data = await ask(command, 'POST', `/api-keys/${encodeURIComponent(key)}/scopes`, { scopes });
      if (data !== undefined) out(`${String(data['api_key_id'])}  ${listOf(data['scopes'])}`);
    });

  keys
    .command('revoke')
    .description('end a key for ever')
    .argument('<key>', 'id of the key')
    .action(async (key: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'DELETE', `/api-keys/${encodeURIComponent(key)}`);
      if (data === undefined) return;
      const pending = data['pending'] === true ? '  pending: not every gateway has confirmed it yet; ask again' : '';
      out(`${String(data['api_key_id'])}  revoked ${String(data['revoked_at'])}${pending}`);
    });

  return keys;
}

const listOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : '');
