import {
  internalHeaders,
  type AccountAssertion,
  type PlannedCapability,
  type RefusePlanRequest,
  type RunPlanRequest,
} from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PlannedCall } from '../call/admission/admit-plan.js';
import type { ExecuteAnswer } from '../call/answer/domain/execute-answer.js';
import { ExecuteTool } from '../call/execute-tool.js';
import type { CapabilityQuery } from '../call/request/domain/call.js';
import { executionIdOf, headerOf, tracedBy } from '../request-headers.js';
import { toldOutcome } from '../told-outcome.js';
import { ExecuteOncePerKey } from '../idempotency/execute-once-per-key.js';
import { RefusePlanBody, RunPlanBody } from './plans.requests.js';

/** Plans of attempts, which capability routing makes and execution runs. */
@Controller('internal')
export class PlansController {
  constructor(
    @Inject(ExecuteTool) private readonly executeTool: ExecuteTool,
    @Inject(ExecuteOncePerKey) private readonly keys: ExecuteOncePerKey,
  ) {}

  @Post('plans')
  @HttpCode(200)
  @AllowCallers('capability-routing')
  async run(
    @CurrentAccount() assertion: AccountAssertion,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    const plan: RunPlanRequest = requireValid(RunPlanBody, body);
    const asked = plan.attempts.map(({ toolId, toolVersion }) => ({ toolId, toolVersion }));
    const query: CapabilityQuery = {
      capability: plan.capability,
      asked,
      skipped: new Map(),
      answer: plan.answer ?? {},
    };
    const call = { ...plannedCall(request, assertion, plan.request, query), idempotencyKey: plan.idempotencyKey };
    const answer = await this.keys.once(call, 'capabilities/query', (one) =>
      this.executeTool.executePlan({ ...one, query }, plan),
    );
    void reply.status(answer.httpStatus).headers({ ...answer.headers, ...toldOutcome(answer) });
    return answer.body;
  }

  @Post('plans::refuse')
  @HttpCode(200)
  @AllowCallers('capability-routing')
  async refuse(
    @CurrentAccount() assertion: AccountAssertion,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<JsonObject> {
    const refused: RefusePlanRequest = requireValid(RefusePlanBody, body);
    const { capabilityId = '', httpStatus, reasonCode, message } = refused;
    const capability: PlannedCapability = { capabilityId };
    const call = plannedCall(request, assertion, refused.request, {
      capability,
      asked: [],
      skipped: new Map(),
      answer: {},
    });
    const recorded: ExecuteAnswer = { httpStatus: 200, body: {} };
    const keyed = { ...call, idempotencyKey: refused.idempotencyKey };
    const answer = await this.keys.once(keyed, 'capabilities/query', async () => {
      await this.executeTool.refuseQuery(call, { httpStatus, reasonCode, message });
      return recorded;
    });
    if (answer === recorded) return {};
    return { bound: { httpStatus: answer.httpStatus, headers: { ...answer.headers }, body: answer.body } };
  }
}

function plannedCall(
  request: FastifyRequest,
  assertion: AccountAssertion,
  body: JsonObject,
  query: CapabilityQuery,
): PlannedCall {
  return {
    executionId: executionIdOf(request),
    assertion,
    assertionToken: headerOf(request, internalHeaders.accountAssertion) ?? '',
    ...tracedBy(request),
    raw: { queryToolIds: [], cacheMode: undefined, body },
    query,
  };
}
