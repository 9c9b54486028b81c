import { Command } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

const PENDING = '  pending: not every gateway has confirmed it yet; ask again';

/** `caprouter projects …`: teams of an account, and the keys that spend for them. */
export function projectsCommand(terminal: Terminal): Command {
  const projects = new Command('projects').description('teams of an account, and the keys that spend for them');
  const { out } = terminal;
  const ask = askAdmin(terminal);

  projects
    .command('list')
    .argument('<account>', 'id of the account')
    .action(async (account: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'GET', `/accounts/${encodeURIComponent(account)}/projects`);
      if (data === undefined) return;
      const items = data['items'] as Data[];
      if (items.length === 0) return out('no projects');
      const rows = items.map((item) => [
        String(item['project_id']),
        String(item['state']),
        budgetOf(item),
        String(item['name']),
      ]);
      for (const line of table(['project', 'state', 'budget', 'name'], rows)) out(line);
    });

  projects
    .command('create')
    .argument('<account>', 'id of the account')
    .argument('<name>', 'for people')
    .action(async (account: string, name: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'POST', `/accounts/${encodeURIComponent(account)}/projects`, { name });
      if (data !== undefined) out(`${String(data['project_id'])}  ${String(data['state'])}`);
    });

  for (const [action, method, description] of [
    ['add-key', 'PUT', 'let a key spend for a project, and for no other'],
    ['remove-key', 'DELETE', 'let a key of a project spend for none'],
  ] as const) {
    projects
      .command(action)
      .description(description)
      .argument('<project>', 'id of the project')
      .argument('<key>', 'id of the key')
      .action(async (project: string, key: string, _options: unknown, command: Command) => {
        const path = `/projects/${encodeURIComponent(project)}/api-keys/${encodeURIComponent(key)}`;
        const data = await ask(command, method, path);
        if (data === undefined) return;
        const belongs = typeof data['project_id'] === 'string' ? data['project_id'] : 'no project';
        out(`${String(data['api_key_id'])}  ${belongs}${data['pending'] === true ? PENDING : ''}`);
      });
  }

  return projects;
}

function budgetOf({ budget }: Data): string {
  const limit = budget as Data | undefined;
  return limit === undefined ? '-' : `${String(limit['amount_credits'])}/${String(limit['period'])}`;
}
