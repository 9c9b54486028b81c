import type { AccountAssertion, PlannedAttempt, RunPlanRequest } from '@capability-router/contracts';
import { creditsFromMicro } from '@capability-router/kernel';
import { callLimitOf, ParameterValidator, regionAllows } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_MAX_RESPONSE_BYTES, type Call, type CapabilityQuery, type Skipped } from '../request/domain/call.js';
import { parseExecuteRequest } from '../request/execute-request.js';
import { accept, type AcceptedCall } from './accepted-call.js';
import type { RefusedAtOnce } from './admit-call.js';
import { planOf, type Candidate } from './domain/plan.js';
import { regionRestricted } from './domain/refusals.js';
import { noneToRun, overBudget } from './domain/none-to-run.js';
import { Hedges } from './hedges.js';
import { PlannedTools } from './planned-tools.js';
import { SignInCheck } from './sign-in-check.js';

/** A query of which nothing is looked at yet. */
export interface PlannedCall extends Call {
  readonly query: CapabilityQuery;
}

/** A query that goes no further. `call`: with the reason why each of its attempts is not run. */
export interface RefusedQuery {
  readonly call: PlannedCall;
  readonly refused: RefusedAtOnce;
}

/** Every check of a plan that needs neither a start nor a hold. What routing looked at is compared with the copies at hand. */
@Injectable()
export class PlanAdmission {
  constructor(
    @Inject(PlannedTools) private readonly tools: PlannedTools,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(SignInCheck) private readonly signIn: SignInCheck,
    @Inject(Hedges) private readonly hedges: Hedges,
  ) {}

  /** Throws 503 where the credentials of providers cannot be read. */
  async admit(call: PlannedCall, startedMs: number, request: RunPlanRequest): Promise<AcceptedCall | RefusedQuery> {
    const { executionId, assertion } = call;
    const { partial } = parseExecuteRequest(call.raw);
    const skipped = new Map<number, Skipped>();
    const candidates: Candidate[] = [];
    for (const [position, planned] of request.attempts.entries()) {
      const screened = await this.screen(position, planned, request, assertion);
      if ('reason' in screened) skipped.set(position, screened);
      else candidates.push(screened);
    }
    const limit = callLimitOf(
      assertion,
      request.maxMicroCredits === undefined ? {} : { maxCredits: creditsFromMicro(BigInt(request.maxMicroCredits)) },
    );
    const { deadlineMs, repeatable, readOnly = false } = request;
    const hedged = this.hedges.admitPlan() && readOnly;
    const plan = planOf({ executionId, assertion, partial, capability: call.query.capability }, candidates, {
      deadlineMs,
      repeatable,
      hedged,
      ...(limit === undefined ? {} : { maxCost: limit.amount }),
    });
    const within = new Set(plan?.attempts.map(({ position }) => position));
    for (const { position } of candidates) {
      if (limit !== undefined && !within.has(position)) skipped.set(position, overBudget(limit));
    }
    const screened = { ...call, query: { ...call.query, skipped } };
    if (plan === undefined) {
      return { call: screened, refused: { refusal: noneToRun(candidates, limit, [...skipped.values()]), partial } };
    }
    const { maxResponseSize = DEFAULT_MAX_RESPONSE_BYTES } = request;
    const wanted = {
      ...(partial.sessionId === undefined ? {} : { sessionId: partial.sessionId }),
      maxResponseBytes: maxResponseSize === -1 ? undefined : maxResponseSize,
      projection: { kind: 'full' },
      cacheMode: 'default',
    } as const;
    return accept(screened, startedMs, wanted, plan);
  }

  private async screen(
    position: number,
    planned: PlannedAttempt,
    { fields }: RunPlanRequest,
    { accountId, region }: AccountAssertion,
  ): Promise<Candidate | Skipped> {
    const tool = await this.tools.find(planned);
    if ('reason' in tool) return tool;
    const { parameters, expectedMs, result: mapping } = planned;
    if (!regionAllows(tool.region, region))
      return { reason: 'region', message: regionRestricted(tool, region).message };
    const [fault] = this.validator.check(tool, parameters);
    if (fault !== undefined) {
      return { reason: 'invalid_parameters', message: `${fault.loc.slice(1).join('.')}: ${fault.msg}` };
    }
    const unsigned = await this.signIn.check(tool, accountId);
    if (unsigned !== undefined) return { reason: 'signin_required', message: unsigned.message };
    return {
      position,
      tool,
      parameters,
      ...(expectedMs === undefined ? {} : { expectedMs }),
      result: { mapping, fields },
    };
  }
}
