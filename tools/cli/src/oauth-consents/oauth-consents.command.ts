import { Command } from 'commander';
import { askAdmin, askAgent } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';

const PENDING = '  pending: not every gateway has confirmed it yet; ask again';

/** `caprouter oauth-consents …`: what people of accounts let programs do, and what those of one's own account do. */
export function oauthConsentsCommand(terminal: Terminal): Command {
  const consents = new Command('oauth-consents').description(
    'programs that people of accounts gave access; the own ones',
  );
  const { out } = terminal;
  const asAdmin = askAdmin(terminal);
  const asAgent = askAgent(terminal);

  consents
    .command('list')
    .description('what stands, the newest first')
    .argument('<account>', 'id of the account')
    .option('--before <consent>', 'go on after the last consent of a page')
    .action(async (account: string, options: { before?: string }, command: Command) =>
      show(await asAdmin(command, 'GET', `/accounts/${encodeURIComponent(account)}/oauth-consents${pageOf(options)}`)),
    );
  consents
    .command('revoke')
    .description('end a consent and all its tokens for ever')
    .argument('<consent>', 'id of the consent')
    .action(async (consent: string, _options: unknown, command: Command) =>
      tell(await asAdmin(command, 'DELETE', `/oauth-consents/${encodeURIComponent(consent)}`)),
    );

  const own = new Command('own').description("those of one's own account, by a key of scope manage");
  own
    .command('list')
    .description('what stands, the newest first')
    .option('--before <consent>', 'go on after the last consent of a page')
    .action(async (options: { before?: string }, command: Command) =>
      show(await asAgent(command, (router) => router.GET('/auth/oauth-consents', { params: { query: options } }))),
    );
  own
    .command('revoke')
    .description('end a consent and all its tokens for ever')
    .argument('<consent>', 'id of the consent')
    .action(async (consent: string, _options: unknown, command: Command) =>
      tell(
        await asAgent(command, (router) =>
          router.DELETE('/auth/oauth-consents/{consent_id}', { params: { path: { consent_id: consent } } }),
        ),
      ),
    );
  return consents.addCommand(own);

  function show(data: Data | undefined): void {
    if (data === undefined) return;
    const items = data['items'] as Data[];
    if (items.length === 0) return out('no consents');
    const rows = items.map((item) => [
      String(item['consent_id']),
      (item['scopes'] as string[]).join(','),
      String(item['granted_at']),
      shown(item['last_used_at'], '-'),
      String(item['expires_at']),
      String(item['client_name']),
    ]);
    for (const line of table(['consent', 'scopes', 'granted', 'last used', 'expires', 'program'], rows)) out(line);
    if (typeof data['next_before'] === 'string') out(`more: --before ${data['next_before']}`);
  }

  function tell(data: Data | undefined): void {
    if (data === undefined) return;
    const pending = data['pending'] === true ? PENDING : '';
    out(`${String(data['consent_id'])}  revoked ${String(data['revoked_at'])}${pending}`);
  }
}

const pageOf = ({ before }: { readonly before?: string }): string =>
  before === undefined ? '' : `?before=${encodeURIComponent(before)}`;
