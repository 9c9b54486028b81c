import type { ValidationDetail } from '@capability-router/contracts';
import { AppError, creditsToNumber, isJsonObject, MAX_TOOL_ID_LENGTH } from '@capability-router/kernel';
import {
  AllowCallers,
  isOneLine,
  messageOfDetails,
  RemainingCredits,
  requireDelegated,
  requireValid,
} from '@capability-router/service-kit';
import { ParameterValidator, quotePrice } from '@capability-router/tool-calls';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../caller.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { ToolStanding } from '../tool-result/tool-standing.js';
import { probeResponse, type ProbeResponse } from './domain/probe-tool.js';
import { recoveryOf } from './domain/recovery.js';
import { ProbeRequest } from './probe.request.js';

/** Milliseconds that a probe waits for what the account can still spend. */
const CREDITS_BUDGET_MS = 50;

@Controller()
export class ProbeController {
  constructor(
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(RemainingCredits) private readonly credits: RemainingCredits,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(ToolStanding) private readonly standing: ToolStanding,
  ) {}

  /**
   * Probe: would a Call with these parameters be accepted, and what would it cost? Free, asks no provider, and leaves
   * no usage event, because nothing was found or used. Throws 403 where a delegation token does not permit the Call.
   */
  @Post('api/v1/tools/probe')
  @HttpCode(200)
  @AllowCallers('gateway')
  async probe(@Body() body: unknown, @Req() request: FastifyRequest): Promise<ProbeResponse> {
    const { account, assertion } = callerOf(request);
    const { tool_id: bodyToolId, parameters, checks } = requireValid(ProbeRequest, body, { allowUnknown: true });
    const toolId = oneToolId(queryToolIdsOf(request), bodyToolId ?? undefined);
    const { catalogue, credits } = this;
    const tool = await catalogue.get(toolId);
    const provider = tool === undefined ? {} : { providerId: tool.providerId };
    const named = isJsonObject(body) ? { model: body['model'], runId: body['run_id'] } : {};
    requireDelegated(account, { toolId, ...named, ...provider });
    if (tool === undefined) {
      throw new AppError(
        'unknown_tool',
        `There is no tool "${toolId}". Search again with POST /search and use a tool_id exactly as returned.`,
        { httpStatus: 404 },
      );
    }
    const violations = this.validator.check(tool, parameters);
    const quote = quotePrice(tool.price, parameters);
    const standing = this.standing.of(tool, account.region);
    const isPaid = violations.length === 0 && quote.estimate > 0n;
    const available = isPaid ? await credits.ask(account.accountId, assertion).within(CREDITS_BUDGET_MS) : undefined;
    const recovery = recoveryOf({
      violations,
      callable: standing.execution_restrictions.callable,
      affordable: available === undefined || available >= creditsToNumber(quote.estimate),
      hasAlternative: catalogue.hasAlternative(tool),
    });
    const findings = { violations, price: tool.price, quote };
    return probeResponse(checks, findings, { recovery, ...standing });
  }
}

/** The characters of a text that may be the id of a tool. */
const allowed = { type: 'string', minLength: 1, maxLength: MAX_TOOL_ID_LENGTH };

/** From the query or the body; both may name it if they name the same. */
function oneToolId(inQuery: readonly string[], inBody: string | undefined): string {
  const [toolId, ...others] = new Set(inBody === undefined ? inQuery : [...inQuery, inBody]);
  if (toolId === undefined || toolId === '') {
    throw refusal({
      type: 'missing',
      loc: ['query', 'tool_id'],
      msg: 'Give tool_id in the query or in the body',
      allowed,
    });
  }
  if (!isOneLine(toolId, MAX_TOOL_ID_LENGTH)) {
    const msg = `Input should be one line of at most ${MAX_TOOL_ID_LENGTH} characters`;
    throw refusal({ type: 'value_error', loc: ['query', 'tool_id'], msg, allowed });
  }
  if (others.length > 0) {
    throw refusal({ type: 'value_error', loc: ['query', 'tool_id'], msg: 'The request names more than one tool_id' });
  }
  return toolId;
}

function refusal(detail: ValidationDetail): AppError {
  return new AppError('validation_error', messageOfDetails([detail]), { details: [detail] });
}

function queryToolIdsOf(request: FastifyRequest): string[] {
  const value = (request.query as Readonly<Record<string, string | string[] | undefined>>)['tool_id'];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
