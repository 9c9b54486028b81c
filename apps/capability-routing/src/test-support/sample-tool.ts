import { topicNames, type EventEnvelope, type ToolContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';

/** A published tool of `geokit` for a quarter of a credit. */
export const sampleTool = (over: Partial<ToolContract> = {}): ToolContract => ({
  toolId: 'geokit.distance.compute.v1',
  version: 1,
  schemaHash: 'a'.repeat(64),
  providerId: 'geokit',
  provider: { providerId: 'geokit', name: { en: 'Geokit' }, description: { en: 'Places.' } },
  name: { en: 'Distance' },
  description: { en: 'Distance between two places.' },
  categories: [],
  categoryDefinitions: [],
  capabilities: [{ id: 'geo.distance', tags: [] }],
  parametersSchema: { type: 'object', required: ['from'], properties: { from: { type: 'string' } } },
  oneOfRequired: [],
  sampleParameters: { from: 'Bern' },
  price: { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' },
  binding: { kind: 'builtin', operation: 'distance' },
  timeoutMs: 1_000,
  asOfSupport: false,
  ...over,
});

let events = 0;

/** An event as a consumer is given it. */
export const sampleEvent = (type: string, data: object, topic: string = topicNames.catalogue): EventEnvelope => ({
  id: `00000000-0000-7000-8000-${String((events += 1)).padStart(12, '0')}`,
  type,
  source: topic === topicNames.catalogue ? 'registry' : 'execution',
  subject: `subject-${events}`,
  sequence: 1,
  time: '2026-03-10T12:00:00.000Z',
  topic,
  partitionKey: 'key',
  data: data as JsonObject,
});
