import type { ToolManifest } from '@capability-router/contracts';
import type { CatalogueSource } from '../catalogue/domain/catalogue-source.js';

export const sampleTool = (over: Partial<ToolManifest> = {}): ToolManifest => ({
  toolId: 'geokit.distance.compute.v1',
  providerId: 'geokit',
  name: { en: 'City distance', zh: '城市距离' },
  description: { en: 'Great-circle distance between two cities. Works offline.', zh: '计算两座城市之间的大圆距离。' },
  categories: ['geography'],
  capabilities: [{ id: 'geo.distance', tags: ['offline'] }],
  parametersSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: {
      from: { type: 'string', description: 'City to start from.', minLength: 1 },
      to: { type: 'string', description: 'City to go to.' },
      to_code: { type: 'string' },
    },
  },
  parameterDescriptionsZh: { from: '出发城市。' },
  oneOfRequired: [['to', 'to_code']],
  sampleParameters: { from: 'Berlin', to: 'Paris' },
  price: { metering: { kind: 'call' }, amountMicroCredits: '500000', unitLabel: 'call' },
  binding: { kind: 'builtin', operation: 'geo.distance' },
  timeoutMs: 5_000,
  asOfSupport: false,
  ...over,
});

export const sampleSource = (over: Partial<CatalogueSource> = {}): CatalogueSource => ({
  name: 'sample',
  providers: [
    {
      providerId: 'geokit',
      name: { en: 'Geokit', zh: '地理工具' },
      description: { en: 'Geography over bundled data.' },
    },
  ],
  categories: [{ slug: 'geography', name: { en: 'Geography', zh: '地理' }, description: { en: 'Places.' } }],
  tools: [sampleTool()],
  ...over,
});
