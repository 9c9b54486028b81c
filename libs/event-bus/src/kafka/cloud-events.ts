import { schemaIdOf, type EventEnvelope } from '@capability-router/contracts';
import { isJsonObject, isUuid, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { createHash } from 'node:crypto';

export interface KafkaRecord {
  key: string;
  value: string;
  headers: Record<string, string>;
}

/** CloudEvents 1.0 over Kafka, binary mode: attributes are headers, the data is the value, as JSON. */
export function toRecord(event: EventEnvelope): KafkaRecord {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: event.source,
    ce_type: event.type,
    ce_subject: event.subject,
    ce_time: event.time,
    ce_dataschema: schemaIdOf(event.topic, event.type),
    ce_partitionkey: event.partitionKey,
    ce_sequence: String(event.sequence),
  };
  if (event.correlationId !== undefined) headers['ce_correlationid'] = event.correlationId;
  if (event.causationId !== undefined) headers['ce_causationid'] = event.causationId;
  if (event.traceparent !== undefined) headers['traceparent'] = event.traceparent;
  return { key: event.partitionKey, value: JSON.stringify(event.data), headers };
}

export interface ReceivedRecord {
  key: Buffer | null;
  value: Buffer | null;
  offset: string;
  timestamp: string;
  headers?: Record<string, Buffer | string | (Buffer | string)[] | undefined>;
}

export type DecodedRecord = { event: EventEnvelope; malformed?: string };

/**
 * The event in a record. A record that holds none becomes a stand-in with `malformed` set, the same on every delivery,
 * so that it can be parked under its key like any other.
 */
export function fromRecord(topic: string, partition: number, record: ReceivedRecord): DecodedRecord {
  const header = (name: string): string | undefined => {
    const value = record.headers?.[name];
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? undefined : storable(first);
  };
  const [id, type, source, subject] = [header('ce_id'), header('ce_type'), header('ce_source'), header('ce_subject')];
  const sequence = Number(header('ce_sequence'));
  const data = parse(record.value);
  const time = header('ce_time');
  const partitionKey = header('ce_partitionkey') ?? (record.key === null ? undefined : storable(record.key));
  if (
    id === undefined ||
    !isUuid(id) ||
    type === undefined ||
    source === undefined ||
    subject === undefined ||
    time === undefined ||
    partitionKey === undefined ||
    !Number.isSafeInteger(sequence) ||
    data === undefined
  ) {
    return { event: standIn(topic, partition, record), malformed: 'the record is not a CloudEvent with JSON data' };
  }
  const correlationId = header('ce_correlationid');
  const causationId = header('ce_causationid');
  const traceparent = header('traceparent');
  return {
    event: {
      id,
      type,
      source,
      subject,
      sequence,
      time,
      topic,
      partitionKey,
      ...(correlationId === undefined ? {} : { correlationId }),
      ...(causationId === undefined ? {} : { causationId }),
      ...(traceparent === undefined ? {} : { traceparent }),
      data,
    },
  };
}

/** PostgreSQL holds no NUL, and whoever may write into a topic can send one: an event that cannot be parked would hold up its partition. */
const storable = (text: Buffer | string): string => text.toString().replaceAll('\0', '\uFFFD');

function parse(value: Buffer | null): JsonObject | undefined {
  if (value === null) return undefined;
  try {
    const parsed = JSON.parse(value.toString()) as JsonValue;
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function standIn(topic: string, partition: number, record: ReceivedRecord): EventEnvelope {
  const hex = createHash('sha256').update(`${topic}/${partition}/${record.offset}`).digest('hex');
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    type: 'MalformedRecord',
    source: 'unknown',
    subject: `${topic}/${partition}/${record.offset}`,
    sequence: 1,
    time: new Date(Number(record.timestamp)).toISOString(),
    topic,
    partitionKey: record.key?.toString('base64url') ?? '',
    data: { valueBase64: record.value?.toString('base64') ?? null },
  };
}
