import {
  internalHeaders,
  VERIFICATION_ACCOUNT_ID,
  type AccountAssertion,
  type TrialCallRequest,
  type TrialCallResponse,
} from '@capability-router/contracts';
import { AppError, isToolId, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { IsBoolean, IsInt, IsObject, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ExecuteTool } from '../call/execute-tool.js';
import { executionIdOf, headerOf, tracedBy } from '../request-headers.js';
import { ToolDirectory } from '../tool-copies/tool-directory.js';

/** Characters. */
const MAX_ID_LENGTH = 200;

class TrialCallBody implements TrialCallRequest {
  @IsString() @MaxLength(MAX_ID_LENGTH) toolId: string;
  @IsInt() @Min(1) toolVersion: number;
  @IsObject() parameters: JsonObject;
  @IsString() @MaxLength(MAX_ID_LENGTH) sessionId: string;
  @IsOptional() @IsBoolean() withoutCredential?: boolean;
}

/** Examples of tools, which the registry runs to verify them. */
@Controller('internal')
export class TrialCallsController {
  constructor(
    @Inject(ExecuteTool) private readonly executeTool: ExecuteTool,
    @Inject(ToolDirectory) private readonly tools: ToolDirectory,
  ) {}

  @Post('trial-calls')
  @HttpCode(200)
  @AllowCallers('registry')
  async run(
    @CurrentAccount() assertion: AccountAssertion,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<TrialCallResponse> {
    const { toolId, toolVersion, parameters, sessionId, withoutCredential } = requireValid(TrialCallBody, body);
    if (assertion.accountId !== VERIFICATION_ACCOUNT_ID) {
      throw new AppError('forbidden', 'Examples run on the account of verification alone.');
    }
    const copy = isToolId(toolId) ? await this.tools.find(toolId) : undefined;
    if (copy === undefined || copy.retired || copy.tool.version !== toolVersion) {
      throw new AppError('conflict', 'The tool has another version here.');
    }
    const {
      httpStatus,
      body: answer,
      ours,
    } = await this.executeTool.execute({
      executionId: executionIdOf(request),
      assertion,
      assertionToken: headerOf(request, internalHeaders.accountAssertion) ?? '',
      ...tracedBy(request),
      raw: {
        queryToolIds: [],
        cacheMode: 'bypass',
        body: { tool_id: toolId, parameters, session_id: sessionId, max_response_size: -1 },
      },
      ...(withoutCredential === true ? { withoutCredential } : {}),
    });
    return { httpStatus, body: answer, ...(ours === undefined ? {} : { ours }) };
  }
}
