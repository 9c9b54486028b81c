import type { CapabilityManifest } from '@capability-router/contracts';
import { geodesicDistance } from './providers/atlas/geodesic-distance.tool.js';
import { detectLanguage } from './providers/lingua/detect-language.tool.js';
import { haversineDistance } from './providers/toolbox/haversine-distance.tool.js';
import { identifyLanguage } from './providers/toolbox/identify-language.tool.js';

const schemaDialect = 'https://json-schema.org/draft/2020-12/schema';

/** Candidates take the capability's parameters by the same names and answer with its fields, and more of their own. */
export const builtinCapabilities: readonly CapabilityManifest[] = [
  {
    capabilityId: 'text.detect_language',
    name: { en: 'Detect language', zh: '检测语言' },
    description: { en: 'Tells the language that a text is written in.', zh: '判断文本所用的语言。' },
    parametersSchema: detectLanguage.manifest.parametersSchema,
    resultSchema: {
      $schema: schemaDialect,
      type: 'object',
      properties: {
        language: { type: 'string', description: 'ISO 639-1 code where there is one, else ISO 639-3.' },
        language_name: { type: 'string', description: 'English name of the language.' },
        confidence: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'How sure the tool is, by its own measure.',
        },
      },
      required: ['language', 'language_name', 'confidence'],
    },
    candidates: [{ toolId: detectLanguage.manifest.toolId }, { toolId: identifyLanguage.manifest.toolId }],
  },
  {
    capabilityId: 'geo.distance',
    name: { en: 'Distance between two points', zh: '两点距离' },
    description: {
      en: 'Measures the distance between two coordinates on the Earth.',
      zh: '测量地球上两坐标之间的距离。',
    },
    parametersSchema: geodesicDistance.manifest.parametersSchema,
    resultSchema: {
      $schema: schemaDialect,
      type: 'object',
      properties: {
        distance_km: { type: 'number', minimum: 0, description: 'Kilometres.' },
        method: { type: 'string', enum: ['geodesic', 'great_circle'], description: 'How it was measured.' },
      },
      required: ['distance_km', 'method'],
    },
    candidates: [{ toolId: geodesicDistance.manifest.toolId }, { toolId: haversineDistance.manifest.toolId }],
  },
];
