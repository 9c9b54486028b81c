import type { PlaceHoldRequest } from '@capability-router/contracts';
import { CONFIG, HoldClient } from '@capability-router/service-kit';
import type { HoldOutcome as BillingOutcome } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../../config.js';

export type { Held } from '@capability-router/service-kit';

/**
 * What billing says to the hold of an execution. `unavailable`: whether it was placed is not known, or its id has another one;
 * the end of the execution gives back what there is.
 */
export type HoldOutcome = Exclude<BillingOutcome, { readonly status: 'conflict' }>;

/** Places holds for executions at billing. */
@Injectable()
export class ExecutionHolds {
  constructor(
    @Inject(HoldClient) private readonly holds: HoldClient,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'holdTimeoutMs'>,
  ) {}

  /** `deadlineMs`: what is left to the call, from now; a hold that comes later is of no use to it. */
  async place(hold: PlaceHoldRequest, assertion: string, deadlineMs: number): Promise<HoldOutcome> {
    const timeoutMs = Math.min(this.config.holdTimeoutMs, deadlineMs);
    const outcome = await this.holds.place(hold, { assertion, timeoutMs });
    if (outcome.status !== 'conflict') return outcome;
    return { status: 'unavailable', cause: new Error('the execution has another hold') };
  }
}
