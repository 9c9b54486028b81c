import { Command } from 'commander';
import { AdminApi, type Data, type GlobalOptions } from '../admin-api.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';

/** `caprouter verification …`: what the checks of a tool have found, and what that rests on. */
export function verificationCommand(terminal: Terminal): Command {
  const verification = new Command('verification').description('read what was verified of a tool, or have it verified');
  const { out } = terminal;

  verification
    .command('show')
    .description('how a tool stands, check by check, with the evidence')
    .argument('<tool>', 'id of the tool')
    .action(async (toolId: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('GET', pathOf(toolId));
      for (const line of global.json === true ? [JSON.stringify(data)] : shownLines(data)) out(line);
    });

  verification
    .command('request')
    .description('have a tool verified within seconds, whether it is due or not: its examples are run')
    .argument('<tool>', 'id of the tool')
    .action(async (toolId: string, _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const data = await AdminApi.from(global, terminal).request('POST', pathOf(toolId));
      out(global.json === true ? JSON.stringify(data) : `${String(data['tool_id'])}  requested`);
    });
  return verification;
}

const pathOf = (toolId: string): string => `/verifications/${encodeURIComponent(toolId)}`;

const dash = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '-');

function shownLines(data: Data): string[] {
  const verification = data['verification'] as Data;
  const evidence = data['evidence'] as Data;
  const checks = verification['checks'] as readonly Data[];
  const issues = verification['quality_issues'] as readonly string[];
  const state = [`${dash(data['tool_id'])} version ${dash(data['tool_version'])}`, dash(verification['status'])];
  const times = [['until', verification['expires_at']] as const, ['next run', data['next_run_at']] as const]
    .filter(([, time]) => time !== undefined)
    .map(([what, time]) => `${what} ${dash(time)}`);
  const problem = data['problem'] === undefined ? [] : [`nothing was judged: ${dash(data['problem'])}`];
  return [
    [...state, ...times].join('  '),
    ...problem,
    ...table(
      ['CHECK', 'STATUS', 'AT', 'REASON'],
      checks.map((check) => [
        dash(check['name']),
        dash(check['status']),
        dash(check['checked_at']),
        dash(check['reason']),
      ]),
    ),
    ...issues.map((issue) => `note: ${issue}`),
    ...Object.entries(evidence).map(([name, found]) => `${name}: ${JSON.stringify(found)}`),
  ];
}
