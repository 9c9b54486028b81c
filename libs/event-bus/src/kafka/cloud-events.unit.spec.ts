import { describe, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { fromRecord, toRecord } from './cloud-events.js';

const event: EventEnvelope = {
  id: '5f0c6f4e-7a35-4a5b-9d3e-0b8f6a1c2d3e',
  type: 'Happened',
  source: 'execution',
  subject: 'exec_1',
  sequence: 2,
  time: '2026-01-02T03:04:05.678Z',
  topic: 'topic',
  partitionKey: 'acc_1',
  correlationId: 'c',
  data: { n: 1 },
};
const received = (record: { key: string; value: string; headers: Record<string, string> }) => ({
  key: Buffer.from(record.key),
  value: Buffer.from(record.value),
  headers: Object.fromEntries(Object.entries(record.headers).map(([name, text]) => [name, Buffer.from(text)])),
  offset: '7',
  timestamp: '1767323045678',
});

describe('a CloudEvent on Kafka', () => {
  it('gives back the event it was made from', () => {
    expect(fromRecord('topic', 3, received(toRecord(event)))).toEqual({ event });
  });

  it.each([
    ['no value', { value: null }],
    ['a value that is not JSON', { value: Buffer.from('{') }],
    ['a value that is not an object', { value: Buffer.from('1') }],
    ['no headers', { headers: {} }],
  ])('with %s becomes the same stand-in on every delivery', (_name, change) => {
    const record = { ...received(toRecord(event)), ...change };
    const first = fromRecord('topic', 3, record);
    expect(first.malformed).toBeDefined();
    expect(first.event).toMatchObject({ type: 'MalformedRecord', subject: 'topic/3/7' });
    expect(fromRecord('topic', 3, record)).toEqual(first);
  });
});
