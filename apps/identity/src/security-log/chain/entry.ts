import { canonicalJson, sha256Hex } from '@capability-router/kernel';

/** Who acts: the account itself, an operator by the admin routes, somebody without a credential, or the service by itself. */
export type ActorType = 'account' | 'operator' | 'anonymous' | 'system';

export interface Actor {
  readonly type: ActorType;
  readonly accountId?: string;
  readonly apiKeyId?: string;
  readonly clientId?: string;
  readonly credentialType?: string;
}

/** An entry before it has a place in its chain. */
export interface SecurityFact {
  /** UUID; an entry with an id that the log has is not written again. */
  readonly entryId: string;
  readonly action: string;
  /** The account that it happened to; absent for the deployment as a whole. */
  readonly accountId?: string;
  readonly actor: Actor;
  readonly object?: { readonly type: string; readonly id: string };
  /** A code. */
  readonly reason?: string;
  /** How often it happened; 1 where each time has an entry of its own. */
  readonly occurrences: number;
  readonly requestId?: string;
  /** Addresses and names. They are kept beside the log and are no part of it. */
  readonly details?: Readonly<Record<string, string>>;
}

/** An entry as it is stored; absent members are null. */
export interface SecurityEntry {
  readonly entryId: string;
  readonly chain: string;
  /** Dense from 1. */
  readonly entrySeq: number;
  readonly action: string;
  readonly accountId: string | null;
  readonly actorType: string;
  readonly actorAccountId: string | null;
  readonly actorApiKeyId: string | null;
  readonly actorClientId: string | null;
  readonly credentialType: string | null;
  readonly objectType: string | null;
  readonly objectId: string | null;
  readonly reason: string | null;
  readonly occurrences: number;
  readonly requestId: string | null;
  /** 64 hex digits, as the other hashes. */
  readonly detailsHash: string | null;
  /** ISO 8601 with milliseconds; the time of the database. */
  readonly recordedAt: string;
  readonly previousHash: string;
}

/** The hash that the first entry of a chain follows. */
export const FIRST_HASH = '0'.repeat(64);
/** Chains of what happens to no account. */
const DEPLOYMENT_CHAINS = 8;

/** The chain of an account is its own; what concerns none goes to one of a few by its id. */
export function chainOf({ accountId, entryId }: Pick<SecurityFact, 'accountId' | 'entryId'>): string {
  return accountId ?? `deployment/${parseInt(sha256Hex(entryId).slice(0, 8), 16) % DEPLOYMENT_CHAINS}`;
}

/** SHA-256 of the RFC 8785 form of all members, the hash of the entry before among them. */
export const hashEntry = (entry: SecurityEntry): string => sha256Hex(canonicalJson({ ...entry }));

/** The log's stand-in for details: without the salt nobody can try which address or name it was. */
export const hashDetails = (salt: string, details: Readonly<Record<string, string>>): string =>
  sha256Hex(`${salt}.${canonicalJson({ ...details })}`);
