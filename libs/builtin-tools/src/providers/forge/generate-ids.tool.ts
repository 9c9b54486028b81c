import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perRow } from '../../tool/prices.js';

const loadIds = lazy(async () => {
  const [{ v4, v7 }, { ulid }] = await Promise.all([import('uuid'), import('ulid')]);
  return { uuid_v4: () => v4(), uuid_v7: () => v7(), ulid: () => ulid() } as const;
});

const kinds = ['uuid_v4', 'uuid_v7', 'ulid'] as const;

/** Ids. */
const limit = { default: 1, maximum: 1_000 } as const;

export const generateIds = defineTool({
  toolId: 'forge.id.generate.v1',
  name: { en: 'Generate UUIDs or ULIDs', zh: '生成 UUID 或 ULID' },
  description: {
    en: 'Makes unique identifiers from secure randomness: random UUIDs (v4), or UUID v7 and ULID, which sort by time and suit database keys. As many as you need.',
    zh: '用安全随机数生成唯一标识符：随机 UUID（v4），或可按时间排序、适合做数据库主键的 UUID v7 与 ULID，可批量生成。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'data.generate_id', tags: ['uuid', 'guid', 'ulid', 'random', 'unique key'] }],
  parameters: {
    kind: {
      schema: { type: 'string', enum: [...kinds], default: 'uuid_v4' },
      en: 'Kind of identifier.',
      zh: '标识符种类。',
    },
    limit: {
      schema: { type: 'integer', minimum: 1, maximum: limit.maximum, default: limit.default },
      en: 'How many.',
      zh: '生成个数。',
    },
  },
  sampleParameters: { kind: 'uuid_v7', limit: 3 },
  price: perRow('0.001', '0.01', limit),
  run: async (parameters) => {
    const generators = await loadIds();
    const kind = kinds.find((known) => known === text(parameters, 'kind', 'uuid_v4')) ?? 'uuid_v4';
    return { kind, rows: Array.from({ length: number(parameters, 'limit', limit.default) }, generators[kind]) };
  },
});
