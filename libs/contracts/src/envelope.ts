import type { JsonObject } from '@capability-router/kernel';

/**
 * One fact, as it is stored and as it travels. On Kafka it becomes a CloudEvent 1.0 in binary mode: every member but
 * `data` is a header, `data` is the JSON value, `partitionKey` the record key.
 */
export interface EventEnvelope<Type extends string = string, Data = JsonObject> {
  /** UUID; unique per fact, equal on every redelivery. */
  readonly id: string;
  readonly type: Type;
  /** The bounded context that recorded it, e.g. `execution`. */
  readonly source: string;
  /** The stream the fact belongs to, e.g. an execution id. */
  readonly subject: string;
  /** Position within the subject, from 1, without gaps. */
  readonly sequence: number;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly topic: string;
  /** Order is kept per key: the account id, or the tool or capability id on catalogue topics. */
  readonly partitionKey: string;
  readonly correlationId?: string;
  readonly causationId?: string;
  /** W3C trace context of the request that caused the fact. */
  readonly traceparent?: string;
  readonly data: Data;
}
