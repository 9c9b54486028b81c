import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../config.js';
import type { AcceptedCall } from './admission/accepted-call.js';
import type { Attempt } from './admission/domain/plan.js';
import { Hedges, type HedgeResult } from './admission/hedges.js';
import { PlannedTools } from './admission/planned-tools.js';
import { AttemptDispatch } from './dispatch/attempt-dispatch.js';
import { AttemptOutcome } from './outcome/attempt-outcome.js';
import { cameOf } from './outcome/domain/came.js';
import type { AttemptResult, Ran, RanAttempt } from './outcome/domain/ran.js';
import type { Tried } from './domain/tried.js';
import { tryInTurn, type TriedPlan } from './domain/try-in-turn.js';

/** Leads the attempts of a plan, in order, through dispatch and outcome, until one serves or none may begin any more. */
@Injectable()
export class RunAttempts {
  constructor(
    @Inject(AttemptDispatch) private readonly dispatch: AttemptDispatch,
    @Inject(AttemptOutcome) private readonly outcome: AttemptOutcome,
    @Inject(Hedges) private readonly hedges: Hedges,
    @Inject(PlannedTools) private readonly tools: PlannedTools,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
  ) {}

  /** Never rejects: a fault of ours belongs to the attempt that it met. */
  async run(call: AcceptedCall): Promise<Ran> {
    const { startedMs, plan } = call;
    const begunMs = new Map<number, number>();
    const triedPlan = await tryInTurn<RanAttempt>(plan, {
      leftMs: () => startedMs + plan.deadlineMs - this.clock.nowMs(),
      mayGoOn: () => this.dispatch.mayGoOn(call),
      // A Call has looked at its tool a moment ago, and has no other to turn to.
      whyGone: ({ tool }) => (call.query === undefined ? undefined : this.tools.whyGone(tool)),
      takeHedge: () => this.hedges.take(),
      after: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
      run: (attempt, deadlineMs, signal) => {
        begunMs.set(attempt.position, this.clock.nowMs());
        return this.attempt(call, attempt, deadlineMs, signal);
      },
    });
    const { ended, tried, skipped, hedge, abandoned } = triedPlan;
    if (hedge !== undefined) this.hedges.count(hedgeResult(triedPlan), abandoned?.bound);
    const ran = { last: ended?.value, ran: tried.map(({ value }) => value), skipped };
    if (hedge === undefined) return ran;
    if (abandoned === undefined) return { ...ran, hedge };
    const nowMs = this.clock.nowMs();
    const elapsedMs = Math.max(0, nowMs - (begunMs.get(abandoned.position) ?? nowMs));
    return { ...ran, hedge, abandoned: { attempt: abandoned, elapsedMs } };
  }

  private async attempt(
    call: AcceptedCall,
    attempt: Attempt,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Tried<RanAttempt>> {
    const begunMs = this.clock.nowMs();
    const result = await this.resultOf(call, attempt, deadlineMs, signal).catch((thrown: unknown) => ({ thrown }));
    const value: RanAttempt = { attempt, elapsedMs: Math.max(0, this.clock.nowMs() - begunMs), ...result };
    return { attempt, came: cameOf(result), value };
  }

  private async resultOf(
    call: AcceptedCall,
    attempt: Attempt,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<AttemptResult> {
    const dispatched = await this.dispatch.send(call, attempt, deadlineMs, signal);
    const result = await this.outcome.of(attempt, dispatched);
    this.config.faults.reached('after-provider-call');
    return result;
  }
}

function hedgeResult({ ended, hedge }: TriedPlan<RanAttempt>): HedgeResult {
  if (ended?.came !== 'served') return 'failed';
  return ended.attempt === hedge ? 'won' : 'lost';
}
