import { CLOCK, CONFIG } from '@capability-router/service-kit';
import type { Clock } from '@capability-router/kernel';
import type { RefusedCall } from '@capability-router/provider-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../../config.js';
import type { AcceptedCall } from '../admission/accepted-call.js';
import type { Attempt } from '../admission/plan.js';
import { isUncertain } from './classify-outcome.js';
import { AnswerSource, type Obtained } from './obtain-answer.js';

/** The attempt that a plan ends with, and what came of it. */
export type Ran =
  | { readonly attempt: Attempt; readonly obtained: Obtained }
  /** Nothing was sent, by this attempt or by one before it. */
  | { readonly attempt: Attempt; readonly refused: RefusedCall };

/** Runs the attempts of a plan in order, until one serves or none may begin any more. */
@Injectable()
export class RunAttempts {
  constructor(
    @Inject(AnswerSource) private readonly answers: AnswerSource,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
  ) {}

  /** Resolves to the attempt that served, else to the last one that was dispatched, else to the last one. */
  async run(call: AcceptedCall): Promise<Ran> {
    const [first, ...others] = call.plan.attempts;
    // The first one always runs: its start and its hold are on record.
    let ran = await this.attempt(call, first, Math.max(1, this.leftMs(call)));
    for (const attempt of others) {
      const leftMs = this.leftMs(call);
      if (leftMs <= 0 || !mayGoOn(ran, call)) break;
      const next = await this.attempt(call, attempt, leftMs);
      if ('obtained' in next || 'refused' in ran) ran = next;
    }
    return ran;
  }

  private leftMs({ startedMs, plan }: AcceptedCall): number {
    return startedMs + plan.deadlineMs - this.clock.nowMs();
  }

  private async attempt(call: AcceptedCall, attempt: Attempt, leftMs: number): Promise<Ran> {
    const { tool, parameters } = attempt;
    const { accountId } = call.assertion;
    const deadlineMs = Math.min(tool.timeoutMs, leftMs);
    const { cacheMode } = call.request;
    const obtained = await this.answers.obtain({ tool, parameters, accountId, cacheMode, deadlineMs });
    this.config.faults.reached('after-provider-call');
    return 'classified' in obtained ? { attempt, obtained } : { attempt, refused: obtained };
  }
}

/** Nothing is sent twice unless the plan allows it. */
function mayGoOn(ran: Ran, { plan }: AcceptedCall): boolean {
  if ('refused' in ran) return true;
  const { classified } = ran.obtained;
  return !classified.success && (plan.mayRepeat || !isUncertain(classified));
}
