import type { AccountId, Credits } from '@capability-router/kernel';

/** A valid row of an import. */
export interface ModelCall {
  readonly importId: string;
  readonly accountId: AccountId;
  readonly model: string;
  readonly success: boolean;
  readonly reasonCode: string;
  readonly amount: Credits;
  readonly sessionId?: string;
  readonly apiKeyId?: string;
  readonly durationMs?: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly occurredMs: number;
  /** The hash of everything that the row says: the same id with other contents is not the same call. */
  readonly inputHash: string;
}
