import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import type { Answered, Client } from '@capability-router/client';
import { AgentApi } from '../agent-api.js';
import { isObject, type Data, type GlobalOptions } from '../gateway/gateway.js';
import { leavesBehind } from '../interruption.js';
import { shown } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { credits, wholeNumber } from './read-options.js';
import { readParameters, textHints, wantedAsTexts, withParameters, type ParameterOptions } from './read-parameters.js';

type Preference = 'price' | 'speed' | 'quality';
type Spend = (router: Client, idempotencyKey: string) => Promise<Answered<object>>;

interface SpendOptions extends ParameterOptions {
  readonly idempotencyKey?: string;
  readonly maxCredits?: number;
  readonly maxResponseSize?: number;
}
interface CallOptions extends SpendOptions {
  readonly respondWith?: string;
}
interface QueryOptions extends SpendOptions {
  readonly capability?: string;
  readonly prefer?: Preference;
}

/** `caprouter call`: one tool. */
export function callCommand(terminal: Terminal): Command {
  const command = withSpending(new Command('call'))
    .description('call a tool; only a result costs something')
    .argument('<tool>', 'id of the tool')
    .option('--respond-with <form>', 'summary, or fields: and JSONPath expressions')
    .action(async (tool: string, options: CallOptions, self: Command) => {
      const body = {
        tool_id: tool,
        parameters: await readParameters(options, terminal),
        ...boundsOf(options),
        ...(options.respondWith === undefined ? {} : { respond_with: options.respondWith }),
      };
      await spend(terminal, self, options, (router, idempotencyKey) =>
        router.POST('/tools/execute', { body, idempotencyKey }),
      );
    });
  return command;
}

/** `caprouter query`: one capability, whichever tool serves it. */
export function queryCommand(terminal: Terminal): Command {
  const command = withSpending(new Command('query'))
    .description('ask for a capability within a budget; the router chooses the tool and says why')
    .argument('[need...]', 'the capability in words, where --capability names none')
    .option('--capability <id>', 'id of the capability')
    .option('--prefer <what>', 'price, speed or quality')
    .action(async (need: string[], options: QueryOptions, self: Command) => {
      if ((need.length === 0) === (options.capability === undefined)) {
        throw new CommandError(exitCodes.usage, 'say what is needed in words, or with --capability, and not with both');
      }
      const body = {
        ...(options.capability === undefined ? { query: need.join(' ') } : { capability_id: options.capability }),
        parameters: await readParameters(options, terminal),
        ...boundsOf(options),
        ...(options.prefer === undefined ? {} : { prefer: options.prefer }),
      };
      await spend(terminal, self, options, (router, idempotencyKey) =>
        router.POST('/capabilities/query', { body, idempotencyKey }),
      );
    });
  return command;
}

const boundsOf = ({ maxCredits, maxResponseSize }: SpendOptions) => ({
  ...(maxCredits === undefined ? {} : { max_credits: maxCredits }),
  ...(maxResponseSize === undefined ? {} : { max_response_size: maxResponseSize }),
});

function withSpending(command: Command): Command {
  return withParameters(command)
    .option('--idempotency-key <key>', 'repeat an earlier command safely: same key, one run, one charge')
    .option('--max-credits <amount>', 'what it may cost at most', credits)
    .option('--max-response-size <bytes>', 'bytes of the result at most; a link leads to the rest', wholeNumber);
}

/** Every request has a key, so that one whose answer was lost can be repeated without a second charge. */
async function spend(
  terminal: Terminal,
  command: Command,
  { idempotencyKey = randomUUID(), ...options }: SpendOptions,
  send: Spend,
): Promise<void> {
  const global = command.optsWithGlobals<GlobalOptions>();
  leavesBehind(terminal, `It may have been made. ${againWith(idempotencyKey)}`);
  const answer = await request(AgentApi.from(global, terminal), send, { idempotencyKey, ...options });
  if (global.json === true) terminal.out(JSON.stringify(answer));
  else for (const line of answerLines(answer)) terminal.out(line);
  if (answer['success'] === true) {
    if (global.json !== true) terminal.error(billLine(answer));
    return;
  }
  const said = answer['error_message'] ?? answer['message'];
  const reason = isObject(answer['execution_outcome']) ? answer['execution_outcome']['user_message'] : undefined;
  const why = [said, reason].find((text) => typeof text === 'string' && text !== '');
  throw new CommandError(exitCodes.failed, shown(why, 'there is no result'), [billLine(answer)], answer);
}

const againWith = (key: string): string =>
  `Repeat it with --idempotency-key ${key}: it then runs and is charged once, whatever became of this one.`;

async function request(
  api: AgentApi,
  send: Spend,
  { idempotencyKey: key, ...options }: SpendOptions & { readonly idempotencyKey: string },
): Promise<Data> {
  try {
    return (await api.request((router) => send(router, key))) as Data;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const help =
      error.exitCode === exitCodes.unreachable ? [againWith(key)] : textHints(options, wantedAsTexts(error.answer));
    throw new CommandError(error.exitCode, error.message, [...error.hints, ...help], error.answer);
  }
}

function answerLines({ result }: Data): string[] {
  if (!isObject(result)) return [];
  // The members beside it tell that a result was shaped, or did not fit.
  const isPlain = Object.keys(result).every((member) => member === 'data' || member === 'status_code');
  const shown = 'data' in result && isPlain ? result['data'] : result;
  return isObject(shown) && Object.keys(shown).length === 0 ? [] : [JSON.stringify(shown, null, 2)];
}

function billLine({ cost, remaining_credits: left, execution_id: id, routing }: Data): string {
  const chosen = isObject(routing) && typeof routing['chosen'] === 'string' ? `served by ${routing['chosen']}; ` : '';
  const rest = typeof left === 'number' ? `, ${left} left` : '';
  const paid = typeof cost === 'number' ? cost : 0;
  return `${chosen}${paid} credits${rest}${typeof id === 'string' ? `; caprouter usage --execution ${id}` : ''}`;
}
