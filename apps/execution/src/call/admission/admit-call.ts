import type { ToolContract } from '@capability-router/contracts';
import { isJsonObject } from '@capability-router/kernel';
import { requireDelegated } from '@capability-router/service-kit';
import { callLimitOf, ParameterValidator, regionAllows, upperBound } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import { ToolDirectory, type ToolCopy } from '../../tool-copies/tool-directory.js';
import type { Call, PartialRequest } from '../request/domain/call.js';
import { parseExecuteRequest, toolIdLoc, type ExecuteRequest } from '../request/execute-request.js';
import { acceptCall, type AcceptedCall } from './accepted-call.js';
import { AvailableCredits } from './available-credits.js';
import { callBudgetExceeded } from './domain/budget-refusals.js';
import {
  invalidParameters,
  invalidRequest,
  paymentRequired,
  regionRestricted,
  unavailableTool,
  unknownTool,
  type Refusal,
} from './domain/refusals.js';
import { SignInCheck } from './sign-in-check.js';

/** A call that goes no further, with what could be read of it. */
export interface RefusedAtOnce {
  readonly refusal: Refusal;
  readonly partial: PartialRequest;
  /** Absent where the request did not get as far as a tool. */
  readonly tool?: ToolContract;
}

/** Every check of a Call that needs neither a start nor a hold. */
@Injectable()
export class Admission {
  constructor(
    @Inject(ToolDirectory) private readonly tools: ToolDirectory,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(SignInCheck) private readonly signIn: SignInCheck,
    @Inject(AvailableCredits) private readonly credits: AvailableCredits,
  ) {}

  /** Throws 403 for a call that its delegation token does not permit. */
  async admit(call: Call, startedMs: number): Promise<AcceptedCall | RefusedAtOnce> {
    const { assertion } = call;
    const { request, partial, details } = parseExecuteRequest(call.raw);
    if (request === undefined) return { refusal: invalidRequest(details), partial };
    const refused = (refusal: Refusal): RefusedAtOnce => ({ refusal, partial: request });
    if (assertion.accountStatus === 'payment_required') return refused(paymentRequired);
    const copy = await this.tools.find(request.toolId);
    requireDelegatedCall(call, request, copy);
    if (copy === undefined) {
      return refused(unknownTool(request.toolId, toolIdLoc(request.toolId, call.raw.queryToolIds)));
    }
    if (copy.retired) return refused(unavailableTool(request.toolId));
    const tool = call.withoutCredential === true ? withoutCredential(copy.tool) : copy.tool;
    if (!regionAllows(tool.region, assertion.region)) {
      return { ...refused(regionRestricted(tool, assertion.region)), tool };
    }
    const faults = this.validator.check(tool, request.parameters);
    if (faults.length > 0) return { ...refused(invalidParameters(tool, faults)), tool };
    const unsigned = await this.signIn.check(tool, assertion.accountId);
    if (unsigned !== undefined) return { ...refused(unsigned), tool };
    const limit = callLimitOf(assertion, request);
    const accepted = acceptCall(call, startedMs, request, tool, limit === undefined ? {} : { maxCost: limit.amount });
    if (accepted !== undefined) return accepted;
    if (limit === undefined) throw new Error('a call without a limit cannot be above it');
    const bound = upperBound(tool.price, request.parameters);
    const available = await this.credits.awaited(assertion.accountId, call.assertionToken);
    return { ...refused(callBudgetExceeded(bound, limit, available)), tool };
  }
}

/** A tool that is not known, or retired, has no provider, and is not run. */
function requireDelegatedCall({ assertion, raw }: Call, request: ExecuteRequest, copy: ToolCopy | undefined): void {
  if (assertion.delegation === undefined) return;
  const { toolId, model } = request;
  const runId = isJsonObject(raw.body) ? raw.body['run_id'] : undefined;
  const provider = copy === undefined || copy.retired ? {} : { providerId: copy.tool.providerId };
  requireDelegated(assertion, { toolId, model, runId, ...provider });
}

function withoutCredential(tool: ToolContract): ToolContract {
  const { binding } = tool;
  return binding.kind === 'builtin' ? tool : { ...tool, binding: { ...binding, auth: { kind: 'none' } } };
}
