import type { BoundTool } from '../domain/bound-tool.js';

/** Needs `start` and `end`, and gives `km`. */
export const sampleTool = (over: Partial<BoundTool> = {}): BoundTool => ({
  toolId: 'geokit.distance.compute.v1',
  version: 1,
  parametersSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['start', 'end'],
    properties: { start: { type: 'string', minLength: 2 }, end: { type: 'string' }, unit: { type: 'string' } },
  },
  oneOfRequired: [],
  resultSchema: { type: 'object', additionalProperties: false, properties: { km: { type: 'number' } } },
  ...over,
});
