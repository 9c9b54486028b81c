import type { ToolContract } from '@capability-router/contracts';

const text = { en: 'A tool of a test' };

/** Milliseconds; more than a slow machine needs, for what is not about time. */
const TIMEOUT_MS = 30_000;

/** A tool at 0.25 credits a call that takes a `city`. */
export function toolContract(over: Partial<ToolContract> = {}): ToolContract {
  return {
    toolId: 'demo.weather.now.v1',
    providerId: 'demo',
    name: text,
    description: text,
    categories: [],
    capabilities: [],
    parametersSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['city'],
      properties: { city: { type: 'string', minLength: 1 } },
    },
    oneOfRequired: [],
    sampleParameters: { city: 'Bern' },
    price: { metering: { kind: 'call' }, amountMicroCredits: '250000', unitLabel: 'call' },
    binding: { kind: 'builtin', operation: 'demo' },
    timeoutMs: TIMEOUT_MS,
    asOfSupport: false,
    version: 1,
    schemaHash: 'a'.repeat(64),
    provider: { providerId: 'demo', name: text, description: text },
    categoryDefinitions: [],
    ...over,
  };
}
