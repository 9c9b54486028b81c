import type { EventEnvelope } from '../envelope.js';
import type { CredentialType } from '../reason-codes.js';
import type { ToolContract } from '../tools/tool-contract.js';

export interface ToolPublished {
  readonly tool: ToolContract;
}

export interface ToolRetired {
  readonly toolId: string;
  readonly version: number;
  readonly retiredAt: string;
}

interface DiscoveryFacts {
  /** UUID of the audit row. */
  readonly usageEventId: string;
  readonly accountId: string;
  readonly apiKeyId?: string;
  readonly credentialType: CredentialType;
  readonly searchId?: string;
  readonly sessionId?: string;
  readonly success: boolean;
  /** Only on a refusal. */
  readonly reasonCode?: 'validation_error' | 'insufficient_credits';
  readonly errorMessage?: string;
  readonly httpStatusCode: number;
  readonly resultCount: number;
  readonly durationMs: number;
  readonly completedAt: string;
}

export interface ToolsSearched extends DiscoveryFacts {
  readonly queryHash?: string;
  readonly queryCharacters?: number;
}

export interface ToolsInspected extends DiscoveryFacts {
  readonly requestedCount: number;
}

export type CatalogueEvent = EventEnvelope<'ToolPublished', ToolPublished> | EventEnvelope<'ToolRetired', ToolRetired>;
export type SearchEvent =
  EventEnvelope<'ToolsSearched', ToolsSearched> | EventEnvelope<'ToolsInspected', ToolsInspected>;
