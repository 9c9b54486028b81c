import type { JsonValue } from '@capability-router/kernel';
import { readDocument, withDocument } from '../runners/document-message.js';
import type { EvaluationSettings } from '../runners/evaluation-pool.js';
import type { Tasks } from '../runners/messages.js';
import { compileExpression, faultOf } from './compile-expression.js';
import type { ExpressionAnswer, ExpressionFault, ExpressionTask } from './expression-task.js';

/** Runs in runner processes, one task at a time. */

/** Characters of all values of a task as JSON. */
const MAX_MADE_LENGTH = 16 * 1_024 * 1_024;

export function openTasks(settings: object): Promise<Tasks> {
  const { timeoutMs } = settings as EvaluationSettings;
  return Promise.resolve({
    prepare: () => Promise.resolve(timeoutMs),
    run: async (_kind, task) => {
      const { head, document } = readDocument<ExpressionTask>(task);
      const made = await evaluate(head, JSON.parse(document) as JsonValue);
      if (typeof made === 'string') return withDocument({} satisfies ExpressionAnswer, made);
      return withDocument({ fault: made } satisfies ExpressionAnswer, '');
    },
  });
}

/** The values by member, as JSON; a member of which there is none is left out. */
async function evaluate({ expressions }: ExpressionTask, source: JsonValue): Promise<string | ExpressionFault> {
  const members: string[] = [];
  let length = 0;
  for (const [member, text] of Object.entries(expressions)) {
    const compiled = compileExpression(text);
    if ('fault' in compiled) return { member, ...compiled.fault };
    let json: string;
    try {
      const made: unknown = await compiled.expression.evaluate(source);
      if (made === undefined) continue;
      json = JSON.stringify(made, plainOnly);
    } catch (error) {
      return { member, ...faultOf(error) };
    }
    length += json.length;
    if (length > MAX_MADE_LENGTH) return { member, code: 'too_large', detail: 'what it makes is too large' };
    members.push(`${JSON.stringify(member)}:${json}`);
  }
  return `{${members.join(',')}}`;
}

/** Functions are values in JSONata, and in no document. */
function plainOnly(_name: string, value: unknown): unknown {
  const isFunction =
    typeof value === 'function' ||
    (typeof value === 'object' &&
      value !== null &&
      (Object.hasOwn(value, '_jsonata_function') || Object.hasOwn(value, '_jsonata_lambda')));
  if (isFunction || (typeof value === 'number' && !Number.isFinite(value))) throw noJson;
  return value;
}

const noJson = Object.assign(new Error('what it makes is a function, or a number without end'), { code: 'no_json' });
