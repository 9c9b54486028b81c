/** Documents as a platform team writes them. */
export const toolDocument = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  tool_id: 'acme.weather.forecast.v1',
  name: { en: 'Weather forecast', zh: '天气预报' },
  description: { en: 'Forecast for the next days in a city.' },
  categories: ['weather'],
  capabilities: [{ id: 'weather.forecast', tags: ['daily'] }],
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['city'],
    properties: {
      city: { type: 'string', minLength: 1, maxLength: 100, description: 'Name of the city.' },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      units: { type: 'string', enum: ['metric', 'imperial'] },
    },
  },
  parameter_descriptions_zh: { city: '城市名称。' },
  examples: [{ parameters: { city: 'Bern', days: 3 } }],
  price: { amount_credits: '0.25' },
  binding: {
    kind: 'http',
    method: 'GET',
    url: 'https://api.acme.example/v1/forecast/{city}',
    placements: { city: { in: 'path' } },
    auth: { kind: 'api_key', in: 'header', name: 'X-Key' },
    result_path: '$.forecast',
  },
  ...over,
});

export const categoryDocument = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  slug: 'weather',
  name: { en: 'Weather' },
  description: { en: 'Weather now and to come.' },
  ...over,
});

export const providerDocument = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  kind: 'provider',
  provider_id: 'acme',
  name: { en: 'Acme' },
  description: { en: 'Weather data.' },
  categories: [categoryDocument()],
  tools: [toolDocument()],
  ...over,
});
