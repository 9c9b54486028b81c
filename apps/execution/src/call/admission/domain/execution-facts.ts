import {
  canonicalJson,
  formatCredits,
  sha256Hex,
  type Credits,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type { AccountAssertion, ExecutionFacts, PlannedCapability, ToolContract } from '@capability-router/contracts';
import { withoutUndefined } from '../../request/domain/without-undefined.js';
import type { PartialRequest } from '../../request/domain/call.js';

/** Characters of any text of the caller's that goes into an event. */
const MAX_FACT_LENGTH = 200;

/** Who called what. A refusal knows less: the tool and the bound are there only if the request got that far. */
export function factsOf(input: {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  readonly partial: PartialRequest;
  readonly tool?: ToolContract;
  readonly parameters?: JsonObject;
  /** Upper bound of the price. */
  readonly bound?: Credits;
  /** Absent where a tool is called by its name. */
  readonly capability?: PlannedCapability;
}): ExecutionFacts {
  const { assertion, partial, tool, capability } = input;
  const parameters = input.parameters === undefined ? undefined : canonicalJson(input.parameters);
  return withoutUndefined({
    executionId: input.executionId,
    accountId: assertion.accountId,
    accountKind: assertion.accountKind,
    eventType: capability === undefined ? ('tool_execute' as const) : ('capabilities_query' as const),
    capabilityId: capability?.capabilityId.slice(0, MAX_FACT_LENGTH) || undefined,
    contractVersion: capability?.contractVersion,
    apiKeyId: assertion.apiKeyId,
    oauthClientId: assertion.oauthClientId,
    projectId: assertion.projectId,
    credentialType: assertion.credentialType,
    toolId: partial.toolId?.slice(0, MAX_FACT_LENGTH),
    toolVersion: tool?.version,
    providerId: tool?.providerId,
    searchId: partial.searchId,
    sessionId: partial.sessionId,
    model: partial.model,
    parametersHash: parameters === undefined ? undefined : sha256Hex(parameters),
    parametersBytes: parameters === undefined ? undefined : Buffer.byteLength(parameters),
    priceRule: tool?.price,
    expectedCost: input.bound === undefined ? undefined : formatCredits(input.bound),
    holdMicroCredits: (input.bound ?? 0n).toString(),
  });
}
