import { expressionsOf, type ToolContract } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import {
  judgeResult,
  unjudged,
  type Computed,
  type JsonataPool,
  type JsonPathPool,
} from '@capability-router/provider-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { CachedResult } from '../../provider-cache/cached-result.js';
import { ResultExpressions, ToolJsonPaths } from '../../providers/evaluators.js';
import type { Attempt } from '../admission/domain/plan.js';
import type { Answered, Dispatched } from '../dispatch/attempt-dispatch.js';
import { classifyAnswer, type Verdict } from './domain/classify-outcome.js';
import { inFields } from './domain/in-fields.js';
import type { Obtained } from './domain/obtained.js';
import type { AttemptResult } from './domain/ran.js';

/** Decides what the answer to an attempt is worth. */
@Injectable()
export class AttemptOutcome {
  /** `jsonPaths`: evaluates what tools say about their results. `expressions`: evaluates what contracts of capabilities make of them. */
  constructor(
    @Inject(ToolJsonPaths) private readonly jsonPaths: JsonPathPool,
    @Inject(ResultExpressions) private readonly expressions: JsonataPool,
  ) {}

  async of({ tool, result }: Attempt, dispatched: Dispatched): Promise<AttemptResult> {
    if (dispatched.kind === 'refused') return { refused: dispatched.refused };
    const obtained = dispatched.kind === 'kept' ? kept(dispatched.result) : await this.judged(tool, dispatched);
    if (result === undefined) return { obtained };
    return { obtained: inFields(obtained, result, await this.computed(tool, result, obtained)) };
  }

  /** Undefined where the mapping has no expression, or there is nothing to map. */
  private async computed(
    { toolId }: ToolContract,
    { mapping }: NonNullable<Attempt['result']>,
    { classified, serialized }: Obtained,
  ): Promise<Computed | undefined> {
    const expressions = expressionsOf(mapping);
    if (expressions === undefined || !classified.success || serialized === undefined) return undefined;
    return this.expressions.compute(expressions, serialized.toString('utf8'), toolId);
  }

  /** Equal calls that wait for the answer are told in every case, also where it cannot be judged. */
  private async judged(tool: ToolContract, answered: Answered): Promise<Obtained> {
    let shared: CachedResult | undefined;
    try {
      const obtained = await this.judge(tool, answered);
      shared = sharedOf(obtained);
      return obtained;
    } finally {
      answered.share(shared);
    }
  }

  private async judge(tool: ToolContract, { answer, serialized }: Answered): Promise<Obtained> {
    const classified = classifyAnswer(answer, tool.price, await this.verdictOn(tool, answer, serialized));
    return {
      classified,
      data: answer.kind === 'answered' ? answer.data : null,
      ...(serialized === undefined ? {} : { serialized }),
      fromCache: false,
      ...(answer.kind === 'failed' && answer.sent === false ? { sent: false } : {}),
    };
  }

  /** Says what the tool's own rules make of an answer. Most tools have none. */
  private async verdictOn(tool: ToolContract, answer: Answered['answer'], serialized?: Buffer): Promise<Verdict> {
    const rules = tool.resultPredicates;
    if (rules === undefined || answer.kind === 'failed' || serialized === undefined) return unjudged;
    return judgeResult(rules, serialized.toString('utf8'), this.jsonPaths, tool.toolId);
  }
}

function kept({ outcome, serialized }: CachedResult): Obtained {
  const data = JSON.parse(serialized.toString('utf8')) as JsonValue;
  return { classified: { success: true, outcome }, data, serialized, fromCache: true };
}

/** Only a valid result answers others: a failure, an empty or a partial one may be better the next time. */
function sharedOf({ classified, serialized }: Obtained): CachedResult | undefined {
  if (classified.outcome.reasonCode !== 'result.valid' || serialized === undefined) return undefined;
  return { outcome: classified.outcome, serialized };
}
