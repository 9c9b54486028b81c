import { createHash } from 'node:crypto';
import {
  topicNames,
  type AccountAssertion,
  type ToolsInspected,
  type ToolsSearched,
} from '@capability-router/contracts';
import type { NewEvent } from '@capability-router/event-store';
import type { JsonObject } from '@capability-router/kernel';
import type { SearchBill } from '../search-price/domain/search-bill.js';

/** One Discover or Inspect request that was answered or refused: what becomes its audit row. */
export interface Discovery {
  readonly kind: 'search' | 'inspect';
  /** UUID; of a search the one inside its id. */
  readonly usageEventId: string;
  readonly account: AccountAssertion;
  readonly searchId?: string;
  readonly sessionId?: string;
  /** The request, as far as it can be kept. */
  readonly query?: string;
  readonly requestPayload: JsonObject;
  readonly requestedCount: number;
  /** Returned tools, best first. */
  readonly toolIds: readonly string[];
  /** Present on a refused request. */
  readonly refusal?: {
    readonly message: string;
    readonly httpStatusCode: number;
    /** `validation_error` where absent. */
    readonly reasonCode?: 'insufficient_credits' | 'budget_exceeded';
  };
  /** Present on a search in a deployment that bills searches. */
  readonly charge?: SearchBill;
  readonly durationMs: number;
  /** ISO 8601. */
  readonly completedAt: string;
  readonly requestId: string;
  readonly traceparent?: string;
}

const OK = 200;
/** Characters of a message in an event. */
const MAX_MESSAGE_LENGTH = 500;

/** The fact without its texts: of a query the event holds hash and length only. */
export function toEvent(discovery: Discovery): NewEvent<string, ToolsSearched | ToolsInspected> {
  const { kind, account, refusal, query } = discovery;
  const facts = {
    usageEventId: discovery.usageEventId,
    accountId: account.accountId,
    ...(account.apiKeyId === undefined ? {} : { apiKeyId: account.apiKeyId }),
    ...(account.oauthClientId === undefined ? {} : { oauthClientId: account.oauthClientId }),
    ...(account.projectId === undefined ? {} : { projectId: account.projectId }),
    credentialType: account.credentialType,
    ...(discovery.searchId === undefined ? {} : { searchId: discovery.searchId }),
    ...(discovery.sessionId === undefined ? {} : { sessionId: discovery.sessionId }),
    success: refusal === undefined,
    ...(refusal === undefined
      ? {}
      : {
          reasonCode: refusal.reasonCode ?? ('validation_error' as const),
          errorMessage: refusal.message.slice(0, MAX_MESSAGE_LENGTH),
        }),
    httpStatusCode: refusal?.httpStatusCode ?? OK,
    resultCount: discovery.toolIds.length,
    durationMs: Math.round(discovery.durationMs * 100) / 100,
    completedAt: discovery.completedAt,
  };
  const data =
    kind === 'inspect'
      ? { ...facts, requestedCount: discovery.requestedCount }
      : {
          ...facts,
          ...(query === undefined ? {} : { queryHash: sha256(query), queryCharacters: query.length }),
          ...discovery.charge,
        };
  return {
    type: kind === 'search' ? 'ToolsSearched' : 'ToolsInspected',
    topic: topicNames.searches,
    partitionKey: account.accountId,
    data,
    correlationId: discovery.requestId,
    time: discovery.completedAt,
    ...(discovery.traceparent === undefined ? {} : { traceparent: discovery.traceparent }),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
