import { setTimeout as delay } from 'node:timers/promises';
import {
  internalHeaders,
  VERIFICATION_ACCOUNT_ID,
  VERIFICATION_KEY_ID,
  type AccountAssertion,
  type AvailableCreditsResponse,
  type ToolContract,
  type TrialCallRequest,
  type TrialCallResponse,
} from '@capability-router/contracts';
import { isJsonObject, newExecutionId, toIso, type Clock, type JsonObject } from '@capability-router/kernel';
import {
  BILLING,
  CLOCK,
  CONFIG,
  jsonBody,
  postJson,
  type InternalTokens,
  type ServiceClient,
  type ServiceResponse,
} from '@capability-router/service-kit';
import { regionListsOf } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTION, IDENTITY, TOKENS } from '../tokens.js';
import type { ObservedCall } from './domain/finding.js';
import type { VerificationConfig } from './verification-config.js';

/** Milliseconds beyond the tool's own time: the hold is placed before and the end recorded after it. */
const MARGIN_MS = 15_000;
const OPEN_TIMEOUT_MS = 5_000;
/** Ten seconds for the first credits, five for a version. */
const CREDIT_PAUSE_MS = 250;
const CREDIT_TURNS = 40;
const VERSION_PAUSE_MS = 1_000;
const VERSION_TURNS = 5;
/** Characters of an ISO 8601 time. */
const DAY_LENGTH = 10;

/** `nothing`: the example was not run, for no fault of the tool. */
export type TrialOutcome =
  | { readonly observed: ObservedCall }
  | { readonly nothing: string; readonly because: 'budget' | 'credential' | 'later' };

/** The deployment's money or readiness, and not the tool. */
const notOfTheTool: readonly string[] = ['insufficient_credits', 'budget_exceeded'];

/** Runs examples of tools at execution, on the deployment's own account. */
@Injectable()
export class TrialCalls {
  private opened: Promise<void> | undefined;

  constructor(
    @Inject(EXECUTION) private readonly execution: ServiceClient,
    @Inject(IDENTITY) private readonly identity: ServiceClient,
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(TOKENS) private readonly tokens: InternalTokens,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: VerificationConfig,
  ) {}

  /** Never rejects. */
  async run(
    tool: ToolContract,
    { example, parameters }: { readonly example: number; readonly parameters: JsonObject },
    options: { readonly withoutCredential?: true } = {},
  ): Promise<TrialOutcome> {
    const nowMs = this.clock.nowMs();
    const executionId = newExecutionId(nowMs);
    const request: TrialCallRequest = {
      toolId: tool.toolId,
      toolVersion: tool.version,
      parameters,
      sessionId: `verification:${tool.providerId}:${toIso(nowMs).slice(0, DAY_LENGTH)}`,
      ...options,
    };
    try {
      await this.account();
      let response = await this.ask(tool, request, executionId);
      // A version that is new here is on its way to execution.
      for (let turn = 1; response.status === 409 && turn < VERSION_TURNS; turn += 1) {
        await delay(VERSION_PAUSE_MS);
        response = await this.ask(tool, request, executionId);
      }
      if (response.status === 409) return later('Execution has another version of the tool.');
      if (response.status !== 200) return later(`Execution answered ${response.status}.`);
      return outcomeOf(jsonBody<TrialCallResponse>(response), example, executionId);
    } catch (error) {
      return later(error instanceof Error ? error.message : 'Execution could not be asked.');
    }
  }

  private async ask(tool: ToolContract, request: TrialCallRequest, executionId: string): Promise<ServiceResponse> {
    return postJson(this.execution, '/internal/trial-calls', request, {
      headers: { 'content-type': 'application/json', [internalHeaders.executionId]: executionId },
      assertion: await this.tokens.signAssertion(this.assertionFor(tool)),
      timeoutMs: tool.timeoutMs + MARGIN_MS,
    });
  }

  /** Its budgets are guarded by billing, with each hold. */
  private assertionFor({ provider, region }: ToolContract): AccountAssertion {
    const place = placeFor(region);
    const ofProvider = provider.verification?.dailyMicroCredits;
    return {
      accountId: VERIFICATION_ACCOUNT_ID,
      accountKind: 'formal',
      credentialType: 'api_key',
      apiKeyId: VERIFICATION_KEY_ID,
      scopes: ['call'],
      ...(place === undefined ? {} : { region: place }),
      budgets: {
        key: { limitMicroCredits: this.config.verification.dailyBudget.toString(), period: 'day' },
        ...(ofProvider === undefined ? {} : { session: { limitMicroCredits: ofProvider } }),
      },
    };
  }

  /** Opens the account once in the life of this process; a failure is tried again with the next call. */
  private account(): Promise<void> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async open(): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const options = { headers, timeoutMs: OPEN_TIMEOUT_MS, repeatable: true };
    const response = await postJson(this.identity, '/internal/verification-account:open', {}, options);
    if (response.status !== 200) throw new Error(`identity answered ${response.status}`);
    await this.credited();
  }

  /** Its credits come with an event, also for a replica that asked just after the one for which the account was opened. */
  private async credited(): Promise<void> {
    for (let turn = 0; turn < CREDIT_TURNS; turn += 1) {
      const path = `/internal/accounts/${VERIFICATION_ACCOUNT_ID}/available`;
      const response = await this.billing.request({ method: 'GET', path, timeoutMs: OPEN_TIMEOUT_MS });
      const known = response.status === 200 ? jsonBody<AvailableCreditsResponse>(response) : undefined;
      if (known !== undefined && BigInt(known.availableMicroCredits) > 0n) return;
      await delay(CREDIT_PAUSE_MS);
    }
    throw new Error('The account of verification has no credits yet');
  }
}

const later = (nothing: string): TrialOutcome => ({ nothing, because: 'later' });

/** A place from which the tool may be called: it is verified for those who may. */
function placeFor(region: string | undefined): string | undefined {
  const { allow, deny } = regionListsOf(region);
  if (allow.length > 0) return allow[0];
  return deny.length === 0 ? undefined : ['US', 'DE', 'JP'].find((place) => !deny.includes(place));
}

function outcomeOf({ httpStatus, body, ours }: TrialCallResponse, example: number, executionId: string): TrialOutcome {
  const outcome = isJsonObject(body['execution_outcome']) ? body['execution_outcome'] : {};
  const { reason_code: reasonCode, provider_status_code: providerStatusCode } = outcome;
  const message = typeof body['error_message'] === 'string' ? body['error_message'] : '';
  const reason = typeof reasonCode === 'string' ? reasonCode : '';
  if (httpStatus === 402 || notOfTheTool.includes(reason)) return { nothing: message, because: 'budget' };
  if (reason === 'oauth_signin_required') return { nothing: message, because: 'credential' };
  if (ours === true || reason === 'tool_unavailable' || httpStatus === 404 || httpStatus >= 500) return later(message);
  const success = body['success'] === true;
  const data = isJsonObject(body['result']) ? body['result']['data'] : undefined;
  return {
    observed: {
      example,
      executionId,
      success,
      reasonCode: reason,
      ...(typeof providerStatusCode === 'number' ? { providerStatusCode } : {}),
      ...(success && data !== undefined ? { data } : {}),
      ...(success || message === '' ? {} : { message }),
    },
  };
}
