import type { EventEnvelope } from '../envelope.js';

/**
 * One entry of the security log: who did what to which account, credential or client, and why. A member that is absent is
 * null where the entry is hashed.
 */
export interface SecurityLogEntryRecorded {
  /** UUID. */
  readonly entryId: string;
  /** The account that it happened to, or `deployment/<n>` where it concerns none; also the key of the record. */
  readonly chain: string;
  /** Dense in the chain, from 1. */
  readonly entrySeq: number;
  readonly action: string;
  readonly accountId?: string;
  /** `account`, `operator`, `anonymous` or `system`. */
  readonly actorType: string;
  readonly actorAccountId?: string;
  readonly actorApiKeyId?: string;
  readonly actorClientId?: string;
  readonly credentialType?: string;
  readonly objectType?: string;
  readonly objectId?: string;
  /** A code. */
  readonly reason?: string;
  readonly occurrences: number;
  /** A UUIDv4 as we make them; absent where the id is of another form. Entries of before the topic have any that the caller chose. */
  readonly requestId?: string;
  /** SHA-256 of a salt and of addresses and names, which stand beside the log and can be erased. 64 hex digits, as the others. */
  readonly detailsHash?: string;
  /** ISO 8601 with milliseconds. */
  readonly recordedAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

export type SecurityLogEvent = EventEnvelope<'SecurityLogEntryRecorded', SecurityLogEntryRecorded>;
