import { CLOCK } from '@capability-router/service-kit';
import type { ValidationDetail } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedCall } from './admission/accepted-call.js';
import { Admission } from './admission/admit-call.js';
import { invalidRequest } from './admission/refusals.js';
import type { ExecuteAnswer } from './answer/execute-answer.js';
import { FinishCall } from './answer/finish-call.js';
import { BeginExecution } from './hold/begin-execution.js';
import { notDispatched } from './outcome/not-dispatched.js';
import { RunAttempts, type Ran } from './outcome/run-attempts.js';
import type { Call } from './request/call.js';
import { parseExecuteRequest } from './request/execute-request.js';

/**
 * One Call, from request to answer. The start and the hold are both durable before a tool runs; the end is appended
 * at expected version 1, and the answer tells what was recorded, also when another end won.
 */
@Injectable()
export class ExecuteTool {
  constructor(
    @Inject(Admission) private readonly admission: Admission,
    @Inject(BeginExecution) private readonly beginning: BeginExecution,
    @Inject(RunAttempts) private readonly attempts: RunAttempts,
    @Inject(FinishCall) private readonly finish: FinishCall,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `KeyTaken` where another call has the key; then nothing was recorded. */
  async execute(call: Call): Promise<ExecuteAnswer> {
    const startedMs = this.clock.nowMs();
    const admitted = await this.admission.admit(call, startedMs);
    return 'refusal' in admitted ? this.finish.refusedAtOnce(call, startedMs, admitted) : this.run(admitted);
  }

  /** Refuses a call for what is wrong outside its body. */
  refuseRequest(call: Call, details: readonly ValidationDetail[]): Promise<ExecuteAnswer> {
    const { partial } = parseExecuteRequest(call.raw);
    return this.finish.refusedAtOnce(call, this.clock.nowMs(), { refusal: invalidRequest(details), partial });
  }

  /** Runs the plan of a call: one start, one hold, its attempts in order, one end. Throws as `execute` does. */
  async run(call: AcceptedCall): Promise<ExecuteAnswer> {
    const begun = await this.beginning.begin(call);
    if (begun.kind === 'not_started' || begun.kind === 'ended') return this.finish.lost(call);
    if (begun.kind === 'unaffordable') return this.finish.refused(call, begun.refusal);
    let ran: Ran;
    try {
      ran = await this.attempts.run(call);
    } catch (err) {
      return this.finish.failed(call, begun.held, err);
    }
    if ('refused' in ran) {
      const { refused, attempt } = ran;
      return this.finish.refused(call, notDispatched(refused, attempt.parameters), attempt.facts, begun.held);
    }
    try {
      return await this.finish.completed(call, ran, begun);
    } catch (err) {
      return this.finish.failed(call, begun.held, err);
    }
  }
}
