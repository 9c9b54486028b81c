import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { startProgress } from '../progress.js';
import { shown, table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { tellVerified } from './tell-verified.js';

interface ListOptions {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

interface VerifyOptions {
  readonly account?: string;
  readonly topic?: boolean;
}

/** `caprouter security-log …`: who did what, and whether the record of it is as it was written. */
export function securityLogCommand(terminal: Terminal): Command {
  const log = new Command('security-log').description('who did what to accounts and credentials');
  const { out } = terminal;

  log
    .command('list')
    .description('entries, the newest first')
    .option('--account <id>', 'what happened to the account')
    .option('--actor <id>', 'what the account did')
    .option('--action <action>', 'such as key.revoked or request.forbidden')
    .option('--from <time>', 'not before it; ISO 8601')
    .option('--to <time>', 'before it; ISO 8601')
    .option('--cursor <cursor>', 'go on after a page')
    .action(async (options: ListOptions, command: Command) => {
      const { account: account_id, actor, action, from, to, cursor } = options;
      const query = queryOf({ account_id, actor, action, from, to, cursor });
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('GET', `/security-log${query}`);
      if (global.json === true) return out(JSON.stringify(data));
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no entries');
      const rows = items.map((item) => {
        const [who, what] = [item['actor'] as Data, item['object'] as Data | undefined];
        return [
          shown(item['recorded_at']),
          shown(item['action']),
          shown(who['account_id']) || shown(who['type']),
          shown(item['account_id']),
          shown(what?.['id']),
          item['occurrences'] === 1
            ? shown(item['reason'])
            : `${shown(item['reason'])} ×${shown(item['occurrences'])}`.trim(),
        ];
      });
      for (const line of table(['time', 'action', 'by', 'account', 'object', 'reason'], rows)) out(line);
      if (typeof data['next_cursor'] === 'string') out(`more: --cursor ${data['next_cursor']}`);
    });

  log
    .command('verify')
    .description('make every hash anew and follow every chain to its end')
    .option('--account <id>', 'the chain of this account alone')
    .option('--topic', 'by the records of the public topic alone, from KAFKA_BROKERS')
    .addHelpText(
      'after',
      '\nExit codes: 0 sound, 1 not sound (the broken entries are named), 2 wrong usage, 3 not reached.',
    )
    .action(async ({ account, topic }: VerifyOptions, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      if (topic === true) {
        // Loaded when asked for: the other commands need no broker.
        const { verifyTopic } = await import('./verify-topic.js');
        return verifyTopic(account, global, terminal);
      }
      const api = AdminApi.from(global, terminal);
      const findings: Data[] = [];
      let [entries, cursor] = [0, undefined as string | undefined];
      const progress = await startProgress(terminal, global, { unit: 'entries' });
      try {
        do {
          const query = queryOf({ account_id: account, cursor });
          const part = await api.request('GET', `/security-log/verification${query}`);
          entries += Number(part['entries']);
          findings.push(...(part['findings'] as Data[]));
          cursor = typeof part['next_cursor'] === 'string' ? part['next_cursor'] : undefined;
          progress.report(entries);
        } while (cursor !== undefined);
      } finally {
        progress.end();
      }
      tellVerified({ entries, findings }, global, terminal);
    });

  return log;
}

function queryOf(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const query = given.map(([member, value]) => `${member}=${encodeURIComponent(String(value))}`).join('&');
  return query === '' ? '' : `?${query}`;
}
