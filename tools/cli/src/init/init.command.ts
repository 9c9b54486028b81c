import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { AgentApi, queryOf } from '../agent-api.js';
import { isObject, type Data, type GlobalOptions } from '../gateway/gateway.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const DEFAULT_NEED = 'evaluate a math expression';
/** Tools of the first page that are looked at for one with an example. */
const LOOKED_AT = 10;
/** Looks at the audit until the charge is settled, and milliseconds between them: 30 s together. */
const LOOKS = 60;
const BETWEEN_LOOKS_MS = 500;

interface Step {
  readonly step: string;
  readonly [fact: string]: unknown;
}

/** `caprouter init`: from a need to a charge that audit and ledger agree on, one step after the other. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('a first call, step by step: discover, inspect, call, and the charge in audit and ledger')
    .argument('[need...]', `what a tool should do; "${DEFAULT_NEED}" where nothing is said`)
    .action(async (need: string[], _options: unknown, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const steps: Step[] = [];
      const done = (line: string, step: Step): void => {
        steps.push(step);
        if (global.json !== true) terminal.out(`${steps.length}. ${line}`);
      };
      const api = AgentApi.from(global, terminal);
      await walk(api, need.length === 0 ? DEFAULT_NEED : need.join(' '), done);
      if (global.json === true) terminal.out(JSON.stringify({ reconciled: true, steps }));
      else terminal.out('Reconciled: the answer, the audit and the ledger agree.');
    });
}

async function walk(api: AgentApi, need: string, done: (line: string, step: Step) => void): Promise<void> {
  const { remaining_credits: before } = await api.request('GET', '/auth/credits');
  done(`${api.url} knows the key: ${String(before)} credits.`, { step: 'credits', remaining_credits: before });

  const found = await api.request('POST', '/search', { query: need, limit: LOOKED_AT });
  const tool = (found['results'] as Data[]).find((each) => sampleOf(each) !== undefined);
  if (tool === undefined) throw failed(`no tool with an example was found for "${need}"`);
  const toolId = String(tool['tool_id']);
  done(`Discover "${need}": ${toolId}, ${String(tool['expected_cost'])} credits.`, {
    step: 'discover',
    tool_id: toolId,
  });

  const inspected = await api.request('POST', '/tools/by-ids', { tool_ids: [toolId] });
  const parameters = sampleOf((inspected['results'] as Data[])[0] ?? {}) ?? sampleOf(tool);
  done(`Inspect: its example is ${JSON.stringify(parameters)}.`, { step: 'inspect', parameters });

  const body = { parameters, search_id: found['search_id'] };
  const key = { 'idempotency-key': randomUUID() };
  const answer = await api.request('POST', `/tools/execute?tool_id=${encodeURIComponent(toolId)}`, body, key);
  const id = String(answer['execution_id']);
  if (answer['success'] !== true)
    throw failed(`the call ${id} has no result: ${String(answer['error_message'])}`, answer);
  const result = JSON.stringify((answer['result'] as Data)['data']);
  const cost = Number(answer['cost']);
  done(`Call: ${result.slice(0, 200)}, for ${cost} credits.`, { step: 'call', execution_id: id, cost });

  const row = await settledRow(api, id);
  const charged = Number(row['settled_amount_credits'] ?? 0);
  done(`Audit: ${String(row['charge_outcome'])}, ${charged} credits settled.`, { step: 'audit', charged });
  if (charged !== cost) throw failed(`the answer says ${cost} credits and the audit ${charged}`, row);

  const entryId = row['credits_ledger_entry_id'];
  if (charged === 0) return done('Ledger: a free call has no entry.', { step: 'ledger' });
  const entry = await api.request('GET', `/auth/credits/ledger/${encodeURIComponent(String(entryId))}`);
  const moved = Number(entry['amount_credits']);
  done(`Ledger: ${String(entryId)} moved the balance by ${moved}.`, { step: 'ledger', id: entryId, moved });
  if (-moved !== charged) throw failed(`the audit says ${charged} credits and the ledger ${-moved}`, entry);
}

/** Settlement follows the answer; the row is there before it. */
async function settledRow(api: AgentApi, executionId: string): Promise<Data> {
  for (let look = 0; look < LOOKS; look += 1) {
    const page = await api.request('GET', `/auth/usage/history/v2${queryOf({ execution_id: executionId })}`);
    const row = (page['items'] as Data[])[0];
    if (row !== undefined && row['billing_snapshot_status'] !== 'pending') return row;
    await sleep(BETWEEN_LOOKS_MS);
  }
  throw failed(
    `the charge of ${executionId} is not settled yet; look again with caprouter usage --execution ${executionId}`,
  );
}

function sampleOf(tool: Data): Data | undefined {
  const { examples } = tool;
  const sample = isObject(examples) ? examples['sample_parameters'] : undefined;
  return isObject(sample) ? sample : undefined;
}

const failed = (message: string, answer?: Data): CommandError =>
  new CommandError(exitCodes.failed, message, [], answer);
