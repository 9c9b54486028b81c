import { MAX_EXPRESSION_LENGTH } from '@capability-router/contracts';
import jsonata from 'jsonata';
import type { ExpressionFault } from './expression-task.js';

/** Runs in runner processes alone, because parsing costs what the author of an expression likes. */

export type Fault = Pick<ExpressionFault, 'code' | 'detail'>;
export type Compiled = { readonly expression: jsonata.Expression } | { readonly fault: Fault };

/** Levels of a parsed expression: `a & b & c` has one for each `&`. */
export const MAX_EXPRESSION_DEPTH = 50;
/** Calls within calls while it is evaluated. */
const MAX_STACK = 200;
/** Values of one sequence. */
const MAX_SEQUENCE = 100_000;
/** Expressions that a process keeps compiled; all of them go when there are more. */
const MAX_COMPILED = 200;
/** Characters of what is said about a fault. */
const MAX_DETAIL_LENGTH = 200;

/**
 * Two evaluations of one source are to be the same, so nothing may look at the clock or draw lots; and `$eval` would
 * evaluate texts of the source, which nobody has looked at.
 */
const forbidden: readonly unknown[] = ['now', 'millis', 'random', 'shuffle', 'eval'];

const known = new Map<string, Compiled>();

export function compileExpression(text: string): Compiled {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_COMPILED) known.clear();
  const compiled = compile(text);
  known.set(text, compiled);
  return compiled;
}

function compile(text: string): Compiled {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    return { fault: { code: 'too_long', detail: `it has more than ${MAX_EXPRESSION_LENGTH} characters` } };
  }
  try {
    const expression = jsonata(text, { stack: MAX_STACK, sequence: MAX_SEQUENCE });
    const fault = faultIn(expression.ast(), 0);
    return fault === undefined ? { expression } : { fault };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** The first part of a parsed expression that may not be. */
function faultIn(part: unknown, depth: number): Fault | undefined {
  if (typeof part !== 'object' || part === null || part instanceof RegExp) return undefined;
  if (depth > MAX_EXPRESSION_DEPTH) {
    return { code: 'too_deep', detail: `it has more than ${MAX_EXPRESSION_DEPTH} levels` };
  }
  if ('type' in part && part.type === 'variable' && 'value' in part && forbidden.includes(part.value)) {
    return { code: 'forbidden', detail: `it uses $${String(part.value)}, which mappings may not` };
  }
  for (const inner of Object.values(part)) {
    const fault = faultIn(inner, Array.isArray(part) ? depth : depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** JSONata throws objects that are no `Error`. */
export function faultOf(thrown: unknown): Fault {
  const { code, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<string, unknown>;
  const detail = typeof message === 'string' && message !== '' ? message : 'it cannot be evaluated';
  return { code: typeof code === 'string' ? code : 'error', detail: detail.slice(0, MAX_DETAIL_LENGTH) };
}
