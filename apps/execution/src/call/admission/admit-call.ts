import type { ToolContract } from '@capability-router/contracts';
import { ParameterValidator, regionAllows, upperBound } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import { ToolDirectory } from '../../tool-copies/tool-directory.js';
import type { Call, PartialRequest } from '../request/domain/call.js';
import { parseExecuteRequest, toolIdLoc } from '../request/execute-request.js';
import { acceptCall, type AcceptedCall } from './accepted-call.js';
import { AvailableCredits } from './available-credits.js';
import { callBudgetExceeded, callLimitOf } from './domain/budget-refusals.js';
import {
  invalidParameters,
  invalidRequest,
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

  async admit(call: Call, startedMs: number): Promise<AcceptedCall | RefusedAtOnce> {
    const { assertion } = call;
    const { request, partial, details } = parseExecuteRequest(call.raw);
    if (request === undefined) return { refusal: invalidRequest(details), partial };
    const refused = (refusal: Refusal): RefusedAtOnce => ({ refusal, partial: request });
    const copy = this.tools.find(request.toolId);
    if (copy === undefined) {
      return refused(unknownTool(request.toolId, toolIdLoc(request.toolId, call.raw.queryToolIds)));
    }
    if (copy.retired) return refused(unavailableTool(request.toolId));
    const { tool } = copy;
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
