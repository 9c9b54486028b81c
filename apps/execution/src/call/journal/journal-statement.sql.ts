/** The columns of `events`, in the order in which the journal writes them. */
export const eventColumns =
  'tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at';

/** A group writes this beside events if one of its executions has an idempotency key; a group without one uses `keyless`. */
export interface KeyedSql {
  readonly arrays: string;
  readonly columns: string;
  readonly effect: string;
  readonly condition?: string;
}

export const keyless: KeyedSql = { arrays: '', columns: '', effect: '' };

/** A list of documents as one JSON text. */
export const toJsonList = (documents: readonly object[]): string => `[${documents.map(toJson).join(',')}]`;

/** `jsonb` holds neither NUL nor half a surrogate pair; both become U+FFFD. */
export function toJson(data: object): string {
  const text = JSON.stringify(data);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(data, (_key, member: unknown) =>
    typeof member === 'string' ? Buffer.from(member.replaceAll('\0', '\uFFFD')).toString() : member,
  );
}

/** The `meta` of an event: its trace context, which may be NULL. */
export const metaSql = (traceparent: string): string =>
  `CASE WHEN ${traceparent} IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('traceparent', ${traceparent}) END`;
