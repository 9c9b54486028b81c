import { uuidv7 } from '@capability-router/kernel';

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

/** NUL and half a surrogate pair as JSON writes them, behind any number of escaped backslashes. */
const notStorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/gi;

/** `jsonb` cannot hold NUL or half a surrogate pair, and text from callers can, names of members too: both become U+FFFD. */
export function toJsonb(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replaceAll(notStorable, '$1\uFFFD') : text;
}
