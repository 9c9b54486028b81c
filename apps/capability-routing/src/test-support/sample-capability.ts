import type { CapabilityManifest } from '@capability-router/contracts';

export const sampleCapability = (over: Partial<CapabilityManifest> = {}): CapabilityManifest => ({
  capabilityId: 'geo.distance',
  name: { en: 'Distance', zh: '距离' },
  description: { en: 'Distance between two places.' },
  parametersSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: { from: { type: 'string', minLength: 1 }, to: { type: 'string' } },
  },
  resultSchema: {
    type: 'object',
    required: ['distance_km'],
    properties: { distance_km: { type: 'number', minimum: 0, description: 'Kilometres.' } },
  },
  candidates: [{ toolId: 'geokit.distance.compute.v1' }],
  effect: 'read_only',
  sampleParameters: { from: 'Bern', to: 'Basel' },
  ...over,
});
