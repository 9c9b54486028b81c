import { Command } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';

const PATH = '/external-subjects';
const PENDING = '  pending: not every gateway has confirmed it yet; ask again';
const pendingOf = (data: Data): string => (data['pending'] === true ? PENDING : '');

/** `caprouter external-subjects …`: for which accounts the tokens of people of external issuers act. */
export function externalSubjectsCommand(terminal: Terminal): Command {
  const subjects = new Command('external-subjects').description(
    'people of external issuers, and the accounts that they act for',
  );
  const { out } = terminal;
  const ask = askAdmin(terminal);

  subjects
    .command('link')
    .description('have the tokens of somebody act for an account that there is')
    .argument('<account>', 'id of the account')
    .argument('<issuer>', 'its name in EXTERNAL_ISSUERS')
    .argument('<subject>', 'as its tokens have it')
    .action(async (account: string, issuer: string, subject: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'POST', PATH, { account_id: account, issuer, subject });
      if (data !== undefined)
        out(`${String(data['external_subject_id'])}  ${String(data['account_id'])}${pendingOf(data)}`);
    });

  subjects
    .command('list')
    .argument('<account>', 'id of the account')
    .action(async (account: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'GET', `${PATH}?account_id=${encodeURIComponent(account)}`);
      if (data === undefined) return;
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no subjects');
      const rows = items.map((item) => [
        String(item['external_subject_id']),
        shown(item['issuer'], String(item['iss'])),
        String(item['linked_at']),
        shown(item['subject'], '-'),
      ]);
      for (const line of table(['link', 'issuer', 'linked', 'subject'], rows)) out(line);
    });

  subjects
    .command('unlink')
    .description('have the tokens of somebody act for the account no longer')
    .argument('<link>', 'id of the link')
    .action(async (link: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'DELETE', `${PATH}/${encodeURIComponent(link)}`);
      if (data === undefined) return;
      out(`${String(data['external_subject_id'])}  removed ${String(data['removed_at'])}${pendingOf(data)}`);
    });

  return subjects;
}
