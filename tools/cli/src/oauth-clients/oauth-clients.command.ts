import { Command, Option } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

interface RegisterOptions {
  readonly public?: true;
  readonly grant?: readonly string[];
}

/** The protocol's names of `--grant`. */
const grantTypes: Readonly<Record<string, string>> = {
  client_credentials: 'client_credentials',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  refresh_token: 'refresh_token',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
};

/** `caprouter oauth-clients …`: programs that may ask for access tokens of an account. */
export function oauthClientsCommand(terminal: Terminal): Command {
  const clients = new Command('oauth-clients').description('programs that may ask for access tokens of an account');
  const { out } = terminal;
  const ask = askAdmin(terminal);

  clients
    .command('register')
    .description('a client and its secret, which is shown this once; a public one has none')
    .argument('<account>', 'id of the account for which the client acts')
    .argument('<name>', 'for people')
    .argument('<scopes...>', 'call, read or manage: the most that its tokens can have')
    .option('--public', 'a program that people run and that can keep no secret: they sign in by the device flow')
    .addOption(
      new Option('--grant <grants...>', 'how it may get tokens, instead of what clients of its kind may').choices(
        Object.keys(grantTypes),
      ),
    )
    .action(async (account: string, name: string, scopes: string[], options: RegisterOptions, command: Command) => {
      const body = {
        account_id: account,
        name,
        scopes,
        ...(options.public === true ? { token_endpoint_auth_method: 'none' } : {}),
        ...(options.grant === undefined ? {} : { grant_types: options.grant.map((grant) => grantTypes[grant]) }),
      };
      const data = await ask(command, 'POST', '/oauth-clients', body);
      if (data === undefined) return;
      out(`client_id      ${String(data['client_id'])}`);
      if (typeof data['client_secret'] === 'string') out(`client_secret  ${data['client_secret']}`);
    });

  clients
    .command('list')
    .argument('<account>', 'id of the account')
    .action(async (account: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'GET', `/oauth-clients?account_id=${encodeURIComponent(account)}`);
      if (data === undefined) return;
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no clients');
      const rows = items.map((item) => [
        String(item['client_id']),
        (item['scopes'] as string[]).join(','),
        item['token_endpoint_auth_method'] === 'none' ? 'public' : 'confidential',
        typeof item['revoked_at'] === 'string' ? `revoked ${item['revoked_at']}` : 'active',
        String(item['name']),
      ]);
      for (const line of table(['client', 'scopes', 'kind', 'state', 'name'], rows)) out(line);
    });

  clients
    .command('revoke')
    .description('end a client and its tokens for ever')
    .argument('<client>', 'id of the client')
    .action(async (client: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'DELETE', `/oauth-clients/${encodeURIComponent(client)}`);
      if (data === undefined) return;
      const pending = data['pending'] === true ? '  pending: not every gateway has confirmed it yet; ask again' : '';
      out(`${String(data['client_id'])}  revoked ${String(data['revoked_at'])}${pending}`);
    });

  clients
    .command('rotate-key')
    .description('make a successor of the key that signs tokens; tokens that it signed stay good')
    .action(async (_options: unknown, command: Command) => {
      const data = await ask(command, 'POST', '/oauth-signing-keys:rotate');
      if (data !== undefined) out(`${String(data['key_id'])}  signs from ${String(data['signs_from'])}`);
    });

  return clients;
}
