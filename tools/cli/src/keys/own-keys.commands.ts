import { Command, InvalidArgumentError } from 'commander';
import type { operations, Schema } from '@capability-router/client';
import { askAgent } from '../ask.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';

type NewKey = operations['createApiKey']['requestBody']['content']['application/json'];

const PENDING = '  pending: not every gateway has confirmed it yet; ask again';

/** `caprouter keys own …`: the keys of one's own account, by one that has the scope `manage`. */
export function ownKeysCommand(terminal: Terminal): Command {
  const own = new Command('own').description("keys of one's own account, by a key of scope manage");
  const ask = askAgent(terminal);
  const { out } = terminal;

  own
    .command('list')
    .description('the keys, masked')
    .action(async (_options: unknown, command: Command) => {
      const data = await ask(command, (router) => router.GET('/auth/api-keys'));
      if (data === undefined) return;
      const rows = data.items.map((item) => [
        item.api_key_id,
        item.masked_value,
        stateOf(item),
        item.scopes.join(','),
        shown(item.expires_at, '-'),
        shown(item.last_used_at, '-'),
        item.name,
      ]);
      for (const line of table(['key', 'looks like', 'state', 'scopes', 'expires', 'last used', 'name'], rows))
        out(line);
    });

  own
    .command('create')
    .description('a new key, which is shown this once')
    .argument('<name>', 'for people')
    .option('--scopes <scopes...>', 'call, read, manage; call and read where none is said')
    .option('--expires-at <time>', 'from when on it is not valid, as 2027-01-31T00:00:00Z')
    .action(async (name: string, options: { scopes?: string[]; expiresAt?: string }, command: Command) => {
      const { scopes, expiresAt: expires_at } = options;
      // A scope that there is not is refused with the names of those that there are.
      const body = { name, scopes, expires_at } as NewKey;
      showNew(await ask(command, (router) => router.POST('/auth/api-keys', { body })));
    });

  own
    .command('rotate')
    .description('a new key in place of another one, which goes on for a while')
    .argument('<key>', 'id of the key')
    .option(
      '--overlap <seconds>',
      'how long the key before goes on; 0 ends it at once, a day where nothing is said',
      seconds,
    )
    .action(async (key: string, { overlap }: { overlap?: number }, command: Command) => {
      const body = overlap === undefined ? {} : { overlap_seconds: overlap };
      const params = { path: { api_key_id: key } };
      showNew(await ask(command, (router) => router.POST('/auth/api-keys/{api_key_id}:rotate', { params, body })));
    });

  own
    .command('revoke')
    .description('end a key for ever')
    .argument('<key>', 'id of the key')
    .action(async (key: string, _options: unknown, command: Command) => {
      const data = await ask(command, (router) =>
        router.DELETE('/auth/api-keys/{api_key_id}', { params: { path: { api_key_id: key } } }),
      );
      if (data === undefined) return;
      out(`${data.api_key_id}  revoked ${data.revoked_at}${data.pending === true ? PENDING : ''}`);
    });

  return own;

  function showNew(data: Schema<'IssuedApiKey'> | undefined): void {
    if (data === undefined) return;
    out(data.api_key);
    terminal.error(`${data.api_key_id}: this is the only time that the key is shown`);
  }
}

function seconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It is a number of seconds.');
  return Number(text);
}

type ListedKey = Schema<'ApiKeyPage'>['items'][number];

function stateOf({ revoked_at: revoked, expires_at: expires }: ListedKey): 'revoked' | 'expired' | 'active' {
  if (revoked !== undefined) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= Date.now() ? 'expired' : 'active';
}
