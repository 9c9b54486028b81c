import {
  hashPriceRule,
  type AccountAssertion,
  type PlannedAttempt,
  type RunPlanRequest,
} from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import { ParameterValidator, regionAllows } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import { ToolDirectory } from '../../tool-copies/tool-directory.js';
import type { Call, CapabilityQuery, Skipped } from '../request/call.js';
import { DEFAULT_MAX_RESPONSE_BYTES, parseExecuteRequest } from '../request/execute-request.js';
import { accept, type AcceptedCall } from './accepted-call.js';
import type { RefusedAtOnce } from './admit-call.js';
import { callLimitOf, type CallLimit } from './budget-refusals.js';
import { planOf, type Candidate } from './plan.js';
import { regionRestricted, unavailableTool, type Refusal } from './refusals.js';
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
    @Inject(ToolDirectory) private readonly tools: ToolDirectory,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(SignInCheck) private readonly signIn: SignInCheck,
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
    const { deadlineMs, repeatable } = request;
    const plan = planOf({ executionId, assertion, partial, capability: call.query.capability }, candidates, {
      deadlineMs,
      repeatable,
      ...(limit === undefined ? {} : { maxCost: limit.amount }),
    });
    const within = new Set(plan?.attempts.map(({ position }) => position));
    for (const { position } of candidates) {
      if (limit !== undefined && !within.has(position)) skipped.set(position, overBudget(limit));
    }
    const screened = { ...call, query: { ...call.query, skipped } };
    if (plan === undefined) {
      return { call: screened, refused: { refusal: refusalOf([...skipped.values()]), partial } };
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
    { toolId, toolVersion, priceRuleHash, parameters, expectedMs, result: mapping }: PlannedAttempt,
    { fields }: RunPlanRequest,
    { accountId, region }: AccountAssertion,
  ): Promise<Candidate | Skipped> {
    const copy = this.tools.find(toolId);
    if (copy === undefined) return { reason: 'contract_changed' };
    if (copy.retired) return { reason: 'unavailable', message: unavailableTool(toolId).message };
    const { tool } = copy;
    if (tool.version !== toolVersion || hashPriceRule(tool.price) !== priceRuleHash) {
      return { reason: 'contract_changed' };
    }
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

function overBudget({ amount, setBy }: CallLimit): Skipped {
  const most = setBy === 'caller' ? 'max_credits allows' : 'this credential may spend on one query';
  return {
    reason: 'over_budget',
    message: `It could cost more than the ${creditsToNumber(amount)} credits that ${most}.`,
  };
}

/** None of the attempts can be run. The first reason of these that holds is told; each attempt has its own in `routing`. */
function refusalOf(skipped: readonly Skipped[]): Refusal {
  const isAny = (wanted: Skipped['reason']): boolean => skipped.some(({ reason }) => reason === wanted);
  if (isAny('over_budget')) {
    return {
      httpStatus: 422,
      reasonCode: 'budget_exceeded',
      code: 'budget_exceeded',
      message: 'No candidate is certain to cost no more than the query may. Raise max_credits, or ask for less.',
    };
  }
  if (isAny('signin_required')) {
    return {
      httpStatus: 200,
      reasonCode: 'oauth_signin_required',
      message: skipped.find(({ reason }) => reason === 'signin_required')?.message ?? 'A provider wants a credential.',
    };
  }
  if (isAny('invalid_parameters')) {
    return {
      httpStatus: 422,
      reasonCode: 'validation_error',
      message: 'The parameters fit no candidate. Correct them as GET /capabilities/{capability_id} shows.',
    };
  }
  return {
    httpStatus: 200,
    reasonCode: isAny('region') ? 'region_restricted' : 'tool_unavailable',
    message: 'No candidate can be run right now; routing.attempts says why. Retry later.',
  };
}
