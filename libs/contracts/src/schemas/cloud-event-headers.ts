import type { JsonSchema } from './event-schema.js';

/** Headers of a record on Kafka: CloudEvents 1.0 in binary mode. */
export const cloudEventHeaders = {
  type: 'object',
  description: 'CloudEvents 1.0, binary mode. Values are UTF-8 text.',
  properties: {
    'content-type': { const: 'application/json' },
    ce_specversion: { const: '1.0' },
    ce_id: {
      type: 'string',
      format: 'uuid',
      description: 'Of the fact; equal on every delivery of it. What is delivered twice is told by it.',
    },
    ce_source: { type: 'string', description: 'The service that recorded the fact.' },
    ce_type: {
      type: 'string',
      description: 'The type of the event; a reader passes over types that it does not know.',
    },
    ce_subject: { type: 'string', description: 'The stream that the fact belongs to.' },
    ce_time: { type: 'string', format: 'date-time' },
    ce_dataschema: { type: 'string', description: '`$id` of the JSON Schema of the value.' },
    ce_partitionkey: { type: 'string', description: 'The key of the record: the account id.' },
    ce_sequence: { type: 'string', pattern: '^[1-9][0-9]*$', description: 'Position within the subject.' },
    ce_correlationid: { type: 'string' },
    ce_causationid: { type: 'string' },
    traceparent: { type: 'string', description: 'W3C trace context of the request that led to the fact.' },
  },
  required: [
    'content-type',
    'ce_specversion',
    'ce_id',
    'ce_source',
    'ce_type',
    'ce_subject',
    'ce_time',
    'ce_dataschema',
    'ce_partitionkey',
    'ce_sequence',
  ],
} as const satisfies JsonSchema;
