import type { PlaceHoldRequest } from '@capability-router/contracts';
import { CONFIG, HoldClient } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionConfig } from '../../config.js';
import type { HoldOutcome } from './domain/hold-outcome.js';

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
