import { defineTool } from '../../tool/define-tool.js';
import { number, optionalText, text } from '../../tool/parameters.js';
import { perRow } from '../../tool/prices.js';
import { countryCode } from '../../tool/shared-parameters.js';
import { loadCitiesByCountry, type City } from './city-data.js';

const limit = { default: 100, maximum: 5_000 } as const;

export const listCities = defineTool({
  toolId: 'atlas.city.list.v1',
  name: { en: 'Cities of a country', zh: '国家城市列表' },
  description: {
    en: 'Lists the cities and towns of a country, largest first, with population and coordinates. Places of 1,000 inhabitants or more, filtered by name or population.',
    zh: '按人口从多到少列出某国的城市与城镇，含人口与坐标。收录一千人以上的地点，可按名称或人口筛选。',
  },
  categories: ['geography'],
  capabilities: [{ id: 'geo.list_cities', tags: ['towns', 'population', 'coordinates', 'geocoding'] }],
  parameters: {
    country_code: {
      schema: countryCode,
      en: 'ISO 3166-1 alpha-2 code.',
      zh: 'ISO 3166-1 两位国家代码。',
      required: true,
    },
    name_prefix: {
      schema: { type: 'string', minLength: 1, maxLength: 100 },
      en: 'Beginning of the name; case and accents do not matter.',
      zh: '名称开头；不区分大小写与重音符号。',
    },
    minimum_population: {
      schema: { type: 'integer', minimum: 0, maximum: 100_000_000, default: 0 },
      en: 'Least number of inhabitants.',
      zh: '最少人口。',
    },
    limit: {
      schema: { type: 'integer', minimum: 1, ...limit },
      en: 'Most rows to return. Each row is charged.',
      zh: '最多返回的行数，按行计费。',
    },
  },
  sampleParameters: { country_code: 'DE', minimum_population: 500_000, limit: 3 },
  price: perRow('0.002', '0.1', limit),
  run: async (parameters) => {
    const cities = (await loadCitiesByCountry()).get(text(parameters, 'country_code')) ?? [];
    const prefix = fold(optionalText(parameters, 'name_prefix') ?? '');
    const minimum = number(parameters, 'minimum_population', 0);
    const matches = cities.filter((city) => city.population >= minimum && fold(city.name).startsWith(prefix));
    return { total: matches.length, rows: matches.slice(0, number(parameters, 'limit', limit.default)).map(toRow) };
  },
});

const fold = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const toRow = (city: City) => ({
  geoname_id: city.geonameId,
  name: city.name,
  country_code: city.countryCode,
  admin_code: city.adminCode,
  population: city.population,
  latitude: city.latitude,
  longitude: city.longitude,
  // GeoNames: the capital of a political entity.
  capital: city.featureCode === 'PPLC',
});
