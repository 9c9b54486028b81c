import { Command } from 'commander';
import type { Schema } from '@capability-router/client';
import { AgentApi } from '../agent-api.js';
import { isObject, type Data, type GlobalOptions } from '../gateway/gateway.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const DEFAULT_NEED = 'evaluate a math expression';
/** Tools of the first page that are looked at for one with an example. */
const LOOKED_AT = 10;
/** Milliseconds that a settlement may take. */
const SETTLEMENT_MS = 30_000;

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
  const { remaining_credits: before } = await api.request((router) => router.GET('/auth/credits'));
  done(`${api.url} knows the key: ${before} credits.`, { step: 'credits', remaining_credits: before });

  const looked = { query: need, limit: LOOKED_AT };
  const found = await api.request((router) => router.POST('/search', { body: looked }));
  const tool = found.results.find((each) => sampleOf(each) !== undefined);
  if (tool === undefined) throw failed(`no tool with an example was found for "${need}"`);
  const toolId = tool.tool_id;
  const { expected_cost: price = '?' } = tool as { readonly expected_cost?: string };
  done(`Discover "${need}": ${toolId}, ${price} credits.`, {
    step: 'discover',
    tool_id: toolId,
  });

  const inspected = await api.request((router) => router.POST('/tools/by-ids', { body: { tool_ids: [toolId] } }));
  const parameters = sampleOf(inspected.results[0] ?? {}) ?? sampleOf(tool) ?? {};
  done(`Inspect: its example is ${JSON.stringify(parameters)}.`, { step: 'inspect', parameters });

  const body = { tool_id: toolId, parameters, search_id: found.search_id };
  const answer = await api.request((router) => router.POST('/tools/execute', { body }));
  const { execution_id: id } = answer;
  if (!answer.success) throw failed(`the call ${id} has no result: ${answer.error_message ?? ''}`, answer);
  const result = JSON.stringify(answer.result['data']);
  const cost = answer.cost ?? 0;
  done(`Call: ${result.slice(0, 200)}, for ${cost} credits.`, { step: 'call', execution_id: id, cost });

  const row = await settledRow(api, id);
  const charged = row.settled_amount_credits ?? 0;
  done(`Audit: ${row.charge_outcome}, ${charged} credits settled.`, { step: 'audit', charged });
  if (charged !== cost) throw failed(`the answer says ${cost} credits and the audit ${charged}`, row);

  const { credits_ledger_entry_id: entryId } = row;
  if (charged === 0 || typeof entryId !== 'string')
    return done('Ledger: a free call has no entry.', { step: 'ledger' });
  const params = { path: { entry_id: entryId } };
  const entry = await api.request((router) => router.GET('/auth/credits/ledger/{entry_id}', { params }));
  const moved = entry.amount_credits;
  done(`Ledger: ${entryId} moved the balance by ${moved}.`, { step: 'ledger', id: entryId, moved });
  if (-moved !== charged) throw failed(`the audit says ${charged} credits and the ledger ${-moved}`, entry);
}

async function settledRow(api: AgentApi, executionId: string): Promise<Schema<'UsageEvent'>> {
  try {
    return await api.wait((router) => router.settledUsage(executionId, { waitMs: SETTLEMENT_MS }));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotSettledError') throw error;
    throw failed(
      `the charge of ${executionId} is not settled yet; look again with caprouter usage --execution ${executionId}`,
    );
  }
}

function sampleOf(tool: Data): Data | undefined {
  const { examples } = tool;
  const sample = isObject(examples) ? examples['sample_parameters'] : undefined;
  return isObject(sample) ? sample : undefined;
}

const failed = (message: string, answer?: Data): CommandError =>
  new CommandError(exitCodes.failed, message, [], answer);
