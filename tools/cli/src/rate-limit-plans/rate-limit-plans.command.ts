import { Command } from 'commander';
import { askAdmin } from '../ask.js';
import type { Data } from '../gateway/gateway.js';
import { table } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const surfaces = ['discover', 'inspect', 'probe', 'call', 'read'] as const;
const PENDING = '  pending: not every gateway has confirmed it yet; ask again';

/** `caprouter rate-limit-plans …`: named limits of requests, and which accounts have them. */
export function rateLimitPlansCommand(terminal: Terminal): Command {
  const plans = new Command('rate-limit-plans').description('named limits of requests, and which accounts have them');
  const { out } = terminal;
  const ask = askAdmin(terminal);

  plans
    .command('list')
    .description('all plans, in requests per minute; - is the limit of the deployment')
    .action(async (_options: unknown, command: Command) => {
      const data = await ask(command, 'GET', '/rate-limit-plans');
      if (data === undefined) return;
      const rows = (data['items'] as Data[]).map((plan) => [String(plan['name']), ...limitsOf(plan)]);
      for (const line of table(['plan', ...surfaces], rows)) out(line);
    });

  plans
    .command('set')
    .description('make a plan, or replace all limits of one')
    .argument('<plan>', 'its name; trial and formal are the default plans of accounts of these kinds')
    .argument('[limits...]', 'such as call=500 read=1000; any other surface has the limit of the deployment')
    .action(async (plan: string, limits: string[], _options: unknown, command: Command) => {
      const body = { per_minute: Object.fromEntries(limits.map(limitOf)) };
      const data = await ask(command, 'PUT', `/rate-limit-plans/${encodeURIComponent(plan)}`, body);
      if (data === undefined) return;
      const limited = limitsOf(data).map((limit, index) => `${surfaces[index] ?? ''} ${limit}`);
      out(`${String(data['name'])}  ${limited.join('  ')}${data['pending'] === true ? PENDING : ''}`);
    });

  plans
    .command('remove')
    .description('end a plan that no account has')
    .argument('<plan>', 'its name')
    .action(async (plan: string, _options: unknown, command: Command) => {
      const data = await ask(command, 'DELETE', `/rate-limit-plans/${encodeURIComponent(plan)}`);
      if (data !== undefined) out(`${String(data['name'])}  removed`);
    });

  plans
    .command('assign')
    .description('give an account a plan, or, without one, the default of its kind')
    .argument('<account>', 'id of the account')
    .argument('[plan]', 'the name of a plan')
    .action(async (account: string, plan: string | undefined, _options: unknown, command: Command) => {
      const path = `/accounts/${encodeURIComponent(account)}/rate-limit-plan`;
      const data = await ask(command, 'PUT', path, { plan: plan ?? null });
      if (data === undefined) return;
      out(`${String(data['account_id'])}  ${String(data['plan'])}${data['pending'] === true ? PENDING : ''}`);
    });

  return plans;
}

function limitsOf(plan: Data): string[] {
  const limits = plan['per_minute'] as Data;
  return surfaces.map((surface) => (typeof limits[surface] === 'number' ? String(limits[surface]) : '-'));
}

/** Throws where the text is not of the form `call=500`; which numbers are allowed the gateway's answer says. */
function limitOf(text: string): [string, number] {
  const [, surface = '', limit = ''] = /^([a-z]+)=(\d+)$/.exec(text) ?? [];
  if (surface !== '') return [surface, Number(limit)];
  throw new CommandError(exitCodes.usage, `"${text}" is no limit`, [
    'Give limits as surface=number, such as call=500.',
  ]);
}
