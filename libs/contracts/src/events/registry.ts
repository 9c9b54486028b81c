import type { EventEnvelope } from '../envelope.js';
import type { CredentialType } from '../reason-codes.js';
import type { PriceRule } from '../tools/price-rule.js';
import type { ToolContract } from '../tools/tool-contract.js';
import type { ToolVerification } from '../tools/verification.js';
import type { Bill } from './execution.js';

export interface ToolPublished {
  readonly tool: ToolContract;
}

export interface ToolRetired {
  readonly toolId: string;
  readonly version: number;
  readonly retiredAt: string;
}

/** A run that could judge a tool has ended. Passed checks lapse by time alone, so that no event tells it. */
export interface ToolVerificationRecorded extends ToolVerification {
  readonly toolId: string;
}

interface DiscoveryFacts {
  /** UUID of the audit row. */
  readonly usageEventId: string;
  readonly accountId: string;
  readonly apiKeyId?: string;
  /** The OAuth client whose token asked; absent where an API key did. */
  readonly oauthClientId?: string;
  /** The project of the account that it is counted for; absent where the credential belongs to none. */
  readonly projectId?: string;
  readonly credentialType: CredentialType;
  readonly searchId?: string;
  readonly sessionId?: string;
  readonly success: boolean;
  /** Only on a refusal. */
  readonly reasonCode?: 'validation_error' | 'insufficient_credits' | 'budget_exceeded';
  readonly errorMessage?: string;
  readonly httpStatusCode: number;
  readonly resultCount: number;
  readonly durationMs: number;
  readonly completedAt: string;
}

export interface ToolsSearched extends DiscoveryFacts {
  readonly queryHash?: string;
  readonly queryCharacters?: number;
  /** The price at the time of the search, where the deployment bills searches; absent where they are free. */
  readonly priceRule?: PriceRule;
  /** Decimal string; what billing holds under the search id. Present exactly beside `priceRule`. */
  readonly holdMicroCredits?: string;
  /** The amount that settlement charges; 0 where nothing was found. Present exactly beside `priceRule`. */
  readonly bill?: Bill;
}

export interface ToolsInspected extends DiscoveryFacts {
  readonly requestedCount: number;
}

export type CatalogueEvent = EventEnvelope<'ToolPublished', ToolPublished> | EventEnvelope<'ToolRetired', ToolRetired>;
export type VerificationEvent = EventEnvelope<'ToolVerificationRecorded', ToolVerificationRecorded>;
export type SearchEvent =
  | EventEnvelope<'ToolsSearched', ToolsSearched>
  | EventEnvelope<'ToolsInspected', ToolsInspected>;
