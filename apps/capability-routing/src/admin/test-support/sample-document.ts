/** A contract as administrators write it. */
export const sampleDocument = (over: object = {}): Record<string, unknown> => ({
  name: { en: 'Distance', zh: '距离' },
  description: { en: 'Distance between two places.' },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: { from: { type: 'string', minLength: 1 }, to: { type: 'string' } },
  },
  result_schema: {
    type: 'object',
    required: ['distance_km'],
    properties: { distance_km: { type: 'number', minimum: 0, description: 'How far.', unit: 'km' } },
  },
  candidates: [
    {
      tool_id: 'geokit.distance.compute.v1',
      parameters: { start: { from: '$.from' }, end: { from: '$.to', default: 'Basel' } },
      result: { distance_km: { from: '$.km' } },
    },
  ],
  effect: 'read_only',
  sample_parameters: { from: 'Bern' },
  ...over,
});
