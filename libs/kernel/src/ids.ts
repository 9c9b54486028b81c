import { randomUUID } from 'node:crypto';
import { sha256Hex } from './sha256.js';

declare const idBrand: unique symbol;
type Id<Name extends string> = string & { readonly [idBrand]: Name };

/** `acc_` + 32 hex digits. Also the Kafka key and the unit of order for everything that moves money. */
export type AccountId = Id<'AccountId'>;
/** A UUID; the audit filters by it. */
export type ApiKeyId = Id<'ApiKeyId'>;
/** `exec_` + 32 hex digits; minted by the gateway, never accepted from a caller. */
export type ExecutionId = Id<'ExecutionId'>;
/** `srch_` + 32 hex digits. */
export type SearchId = Id<'SearchId'>;
/** `led_` + 32 hex digits. */
export type LedgerEntryId = Id<'LedgerEntryId'>;
/** A plain UUID: the single-event path of the API takes nothing else. */
export type UsageEventId = Id<'UsageEventId'>;
/** `provider.resource.action.vN`. */
export type ToolId = Id<'ToolId'>;

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, then randomness. Ids sort by time, and the month of a record can be
 * read from its id, so that a look-up touches one partition.
 */
export function uuidv7(nowMs: number): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  // A random UUID has its random bits and its variant where version 7 has them, and Node makes it from pooled randomness.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The UUID of a name: a UUIDv8 of its SHA-256 (RFC 9562, appendix B.2), the same wherever it is asked for. */
export function uuidOfName(name: string): string {
  const hex = sha256Hex(name);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return hexToUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

/** Hex digits of the 48 bits of milliseconds. */
const TIME_DIGITS = 12;

function hexToUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function compact(uuid: string): string {
  return uuid.replaceAll('-', '');
}

export const newAccountId = (nowMs: number): AccountId => `acc_${compact(uuidv7(nowMs))}` as AccountId;
export const newApiKeyId = (nowMs: number): ApiKeyId => uuidv7(nowMs) as ApiKeyId;
export const newExecutionId = (nowMs: number): ExecutionId => `exec_${compact(uuidv7(nowMs))}` as ExecutionId;
export const newSearchId = (nowMs: number): SearchId => `srch_${compact(uuidv7(nowMs))}` as SearchId;
export const newLedgerEntryId = (nowMs: number): LedgerEntryId => `led_${compact(uuidv7(nowMs))}` as LedgerEntryId;
export const newUsageEventId = (nowMs: number): UsageEventId => uuidv7(nowMs) as UsageEventId;

/** The audit row of an execution or a search has the UUID inside that id, so a rebuild of the audit changes no id. */
export function usageEventIdOf(id: ExecutionId | SearchId): UsageEventId {
  return hexToUuid(id.slice(id.indexOf('_') + 1)) as UsageEventId;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The pattern of a tool id, which has at most `MAX_TOOL_ID_LENGTH` characters. */
export const toolIdPattern = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+){2,6}\.v[1-9][0-9]{0,5}$/;

export const isUuid = (text: string): boolean => uuidPattern.test(text);
/** A UUID in lower case, as it is stored, told and compared as text; undefined for a text that is none. */
export const canonicalUuid = (text: string): string | undefined => (isUuid(text) ? text.toLowerCase() : undefined);
export const isToolId = (text: string): text is ToolId => text.length <= MAX_TOOL_ID_LENGTH && toolIdPattern.test(text);
export const isExecutionId = (text: string): text is ExecutionId => /^exec_[0-9a-f]{32}$/.test(text);
export const isSearchId = (text: string): text is SearchId => /^srch_[0-9a-f]{32}$/.test(text);
export const isLedgerEntryId = (text: string): text is LedgerEntryId => /^led_[0-9a-f]{32}$/.test(text);
export const isAccountId = (text: string): text is AccountId => /^acc_[0-9a-f]{32}$/.test(text);

/** Characters. */
export const MAX_TOOL_ID_LENGTH = 200;
