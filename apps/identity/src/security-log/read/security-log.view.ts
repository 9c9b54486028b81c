import type { StoredEntryRow } from '../chain/stored-entry.sql.js';

export interface SecurityLogItem {
  readonly entry_id: string;
  readonly action: string;
  /** Absent for the deployment as a whole. */
  readonly account_id?: string;
  readonly actor: {
    readonly type: string;
    readonly account_id?: string;
    readonly api_key_id?: string;
    readonly oauth_client_id?: string;
    readonly credential_type?: string;
  };
  readonly object?: { readonly type: string; readonly id: string };
  readonly reason?: string;
  readonly occurrences: number;
  /** Absent where there was no request; one that the caller chose goes with the details. */
  readonly request_id?: string;
  readonly recorded_at: string;
  /** Absent where there was nothing to keep, and after an erasure. */
  readonly details?: {
    readonly client_address?: string;
    readonly user_agent?: string;
    readonly name?: string;
    readonly path?: string;
  };
  readonly chain: string;
  readonly entry_seq: number;
  readonly hash: string;
}

export interface SecurityLogPage {
  readonly items: readonly SecurityLogItem[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

/** @param rows one more than the page has, where there is a next one */
export function toPage(rows: readonly StoredEntryRow[], limit: number): SecurityLogPage {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { items: page.map(toItem), ...(last === undefined ? {} : { next_cursor: last.position }) };
}

function toItem(row: StoredEntryRow): SecurityLogItem {
  const { details } = row;
  // One that the caller chose stands beside the log.
  const requestId = row.requestId ?? details?.['requestId'];
  return {
    entry_id: row.entryId,
    action: row.action,
    ...(row.accountId === null ? {} : { account_id: row.accountId }),
    actor: {
      type: row.actorType,
      ...(row.actorAccountId === null ? {} : { account_id: row.actorAccountId }),
      ...(row.actorApiKeyId === null ? {} : { api_key_id: row.actorApiKeyId }),
      ...(row.actorClientId === null ? {} : { oauth_client_id: row.actorClientId }),
      ...(row.credentialType === null ? {} : { credential_type: row.credentialType }),
    },
    ...(row.objectType === null || row.objectId === null ? {} : { object: { type: row.objectType, id: row.objectId } }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    occurrences: row.occurrences,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    recorded_at: row.recordedAt.toISOString(),
    ...(details === null
      ? {}
      : {
          details: {
            ...(details['clientAddress'] === undefined ? {} : { client_address: details['clientAddress'] }),
            ...(details['userAgent'] === undefined ? {} : { user_agent: details['userAgent'] }),
            ...(details['name'] === undefined ? {} : { name: details['name'] }),
            ...(details['path'] === undefined ? {} : { path: details['path'] }),
          },
        }),
    chain: row.chain,
    entry_seq: row.entrySeq,
    hash: row.hash,
  };
}
