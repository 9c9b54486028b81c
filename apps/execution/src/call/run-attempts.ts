import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../config.js';
import type { AcceptedCall } from './admission/accepted-call.js';
import type { Attempt } from './admission/domain/plan.js';
import { AttemptDispatch } from './dispatch/attempt-dispatch.js';
import { AttemptOutcome } from './outcome/attempt-outcome.js';
import { cameOf } from './outcome/domain/came.js';
import type { AttemptResult, Ran, RanAttempt } from './outcome/domain/ran.js';
import { tryInTurn, type Tried } from './domain/try-in-turn.js';

/** Leads the attempts of a plan, in order, through dispatch and outcome, until one serves or none may begin any more. */
@Injectable()
export class RunAttempts {
  constructor(
    @Inject(AttemptDispatch) private readonly dispatch: AttemptDispatch,
    @Inject(AttemptOutcome) private readonly outcome: AttemptOutcome,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
  ) {}

  /** Never rejects: a fault of ours belongs to the attempt that it met. */
  async run(call: AcceptedCall): Promise<Ran> {
    const { startedMs, plan } = call;
    const { ended, tried, skipped } = await tryInTurn<RanAttempt>(plan, {
      leftMs: () => startedMs + plan.deadlineMs - this.clock.nowMs(),
      mayGoOn: () => this.dispatch.mayGoOn(call),
      run: (attempt, deadlineMs) => this.attempt(call, attempt, deadlineMs),
    });
    return { last: ended?.value, ran: tried.map(({ value }) => value), skipped };
  }

  private async attempt(call: AcceptedCall, attempt: Attempt, deadlineMs: number): Promise<Tried<RanAttempt>> {
    const begunMs = this.clock.nowMs();
    const result = await this.resultOf(call, attempt, deadlineMs).catch((thrown: unknown) => ({ thrown }));
    const value: RanAttempt = { attempt, elapsedMs: Math.max(0, this.clock.nowMs() - begunMs), ...result };
    return { attempt, came: cameOf(result), value };
  }

  private async resultOf(call: AcceptedCall, attempt: Attempt, deadlineMs: number): Promise<AttemptResult> {
    const dispatched = await this.dispatch.send(call, attempt, deadlineMs);
    const result = await this.outcome.of(attempt, dispatched);
    this.config.faults.reached('after-provider-call');
    return result;
  }
}
