import { uuidv7, wellFormed } from '@capability-router/kernel';

export interface NewEvent<Type extends string = string, Data = unknown> {
  /** UUID; minted here where absent. */
  id?: string;
  type: Type;
  topic: string;
  /** Order is kept per key. */
  partitionKey: string;
  /** A JSON object. */
  data: Data;
  correlationId?: string;
  causationId?: string;
  traceparent?: string;
  /** ISO 8601; the transaction's time where absent. */
  time?: string;
}

/** The columns of many events as parallel arrays, for `unnest`. */
export interface EventColumns {
  ids: string[];
  types: string[];
  topics: string[];
  partitionKeys: string[];
  data: string[];
  meta: string[];
  times: (string | null)[];
}

export function toColumns(events: readonly NewEvent[]): EventColumns {
  const columns: EventColumns = { ids: [], types: [], topics: [], partitionKeys: [], data: [], meta: [], times: [] };
  for (const event of events) {
    columns.ids.push(event.id ?? uuidv7(Date.now()));
    columns.types.push(event.type);
    columns.topics.push(event.topic);
    columns.partitionKeys.push(event.partitionKey);
    columns.data.push(toJsonb(event.data));
    columns.meta.push(
      toJsonb({
        correlationId: event.correlationId,
        causationId: event.causationId,
        traceparent: event.traceparent,
      }),
    );
    columns.times.push(event.time ?? null);
  }
  return columns;
}

/** `jsonb` cannot hold NUL or half a surrogate pair, and text from callers can: both become U+FFFD. */
export function toJsonb(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? wellFormed(member.replaceAll('\0', '\uFFFD')) : member,
  );
}
