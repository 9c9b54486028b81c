import type { ToolContract } from '@capability-router/contracts';
import { judgeResult, unjudged, type DispatchedAnswer, type JsonPathPool } from '@capability-router/provider-kit';
import type { Verdict } from './classify-outcome.js';

/** What the tool's own rules say of an answer (`serialized`: its data as JSON). Most tools have none. */
export async function judgeAnswer(
  pool: JsonPathPool,
  tool: ToolContract,
  answer: DispatchedAnswer,
  serialized: Buffer | undefined,
): Promise<Verdict> {
  const rules = tool.resultPredicates;
  if (rules === undefined || answer.kind === 'failed' || serialized === undefined) return unjudged;
  return judgeResult(rules, serialized.toString('utf8'), pool, tool.toolId);
}
