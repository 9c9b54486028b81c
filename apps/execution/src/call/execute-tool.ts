import { CLOCK } from '@capability-router/service-kit';
import type { RunPlanRequest, ValidationDetail } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedCall } from './admission/accepted-call.js';
import { Admission } from './admission/admit-call.js';
import { PlanAdmission, type PlannedCall } from './admission/admit-plan.js';
import { noneBegun } from './admission/domain/none-to-run.js';
import { invalidRequest, type Refusal } from './admission/domain/refusals.js';
import type { ExecuteAnswer } from './answer/domain/execute-answer.js';
import { FinishCall } from './answer/finish-call.js';
import { BeginExecution } from './hold/begin-execution.js';
import { notDispatched } from './outcome/domain/not-dispatched.js';
import { noneBegan } from './outcome/domain/ran.js';
import type { Call } from './request/domain/call.js';
import { parseExecuteRequest } from './request/execute-request.js';
import { RunAttempts } from './run-attempts.js';

/**
 * One Call, from request to answer. The start and the hold are both durable before a tool runs; the end is appended
 * at expected version 1, and the answer tells what was recorded, also when another end won.
 */
@Injectable()
export class ExecuteTool {
  constructor(
    @Inject(Admission) private readonly admission: Admission,
    @Inject(PlanAdmission) private readonly planAdmission: PlanAdmission,
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

  /** The same for a plan of attempts that capability routing made. */
  async executePlan(call: PlannedCall, request: RunPlanRequest): Promise<ExecuteAnswer> {
    const startedMs = this.clock.nowMs();
    const admitted = await this.planAdmission.admit(call, startedMs, request);
    if (!('refused' in admitted)) return this.run(admitted);
    return this.finish.refusedAtOnce(admitted.call, startedMs, admitted.refused);
  }

  /** Records a query that capability routing refused: its refusal is the only event of its execution. */
  async refuseQuery(call: PlannedCall, refusal: Refusal): Promise<ExecuteAnswer> {
    const { partial } = parseExecuteRequest(call.raw);
    return this.finish.refusedAtOnce(call, this.clock.nowMs(), { refusal, partial });
  }

  /** Refuses a call for what is wrong outside its body. */
  refuseRequest(call: Call, details: readonly ValidationDetail[]): Promise<ExecuteAnswer> {
    const { partial } = parseExecuteRequest(call.raw);
    return this.finish.refusedAtOnce(call, this.clock.nowMs(), { refusal: invalidRequest(details), partial });
  }

  /** Runs the plan of a call: one start, one hold, its attempts in order, one end. Throws as `execute` does. */
  async run(accepted: AcceptedCall): Promise<ExecuteAnswer> {
    const begun = await this.beginning.begin(accepted);
    if (begun.kind === 'not_started') return this.finish.neverStarted(accepted, begun.hold);
    if (begun.kind === 'ended') return this.finish.lost(accepted);
    if (begun.kind === 'refused') {
      return this.finish.refused(accepted, begun.refusal, noneBegan(accepted.plan, begun.because));
    }
    const { call, held } = begun;
    const ran = await this.attempts.run(call);
    const { last } = ran;
    if (last === undefined) return this.finish.refused(call, noneBegun(ran), ran, held);
    if ('thrown' in last) return this.finish.failed(call, ran, last, held, last.thrown);
    if ('refused' in last) {
      const shown = call.query === undefined ? last.attempt.parameters : undefined;
      return this.finish.refused(call, notDispatched(last.refused, shown), ran, held);
    }
    try {
      return await this.finish.completed(call, ran, last, begun);
    } catch (err) {
      return this.finish.failed(call, ran, last, held, err);
    }
  }
}
