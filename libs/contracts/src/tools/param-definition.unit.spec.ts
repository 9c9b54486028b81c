import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { paramsFromSchema } from './param-definition.js';

const schema: JsonObject = {
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string', description: 'Name of the city.', minLength: 1 },
    unit: { enum: ['metric', 'imperial'], default: 'metric' },
    days: { type: ['integer', 'null'] },
    stops: { type: 'array', items: { type: 'object', required: ['at'], properties: { at: { type: 'string' } } } },
    anything: {},
  },
};

describe('params of a tool', () => {
  it('always have name, type and required, in the order of the schema', () => {
    expect(paramsFromSchema(schema, { constraints: false })).toEqual([
      { name: 'city', type: 'string', required: true, description: 'Name of the city.' },
      { name: 'unit', type: 'string', required: false, enum: ['metric', 'imperial'] },
      { name: 'days', type: 'integer', required: false },
      {
        name: 'stops',
        type: 'array',
        required: false,
        items: { type: 'object', properties: [{ name: 'at', type: 'string', required: true }] },
      },
      { name: 'anything', type: 'any', required: false },
    ]);
  });

  it('show bounds and defaults where asked', () => {
    const [city, unit] = paramsFromSchema(schema, { constraints: true });
    expect(city).toMatchObject({ minLength: 1 });
    expect(unit).toMatchObject({ default: 'metric' });
  });

  it('show what an object and its other members must be', () => {
    const variables: JsonObject = {
      type: 'object',
      minProperties: 1,
      maxProperties: 20,
      propertyNames: { pattern: '^[a-z]+$' },
      additionalProperties: { type: 'array', maxItems: 3, items: { type: 'number', minimum: 0 } },
    };
    const place: JsonObject = {
      type: 'object',
      additionalProperties: false,
      required: ['lat'],
      properties: { lat: { type: 'number', minimum: -90 } },
      dependentRequired: { lat: ['lon'] },
      anyOf: [{ $ref: '#/$defs/a' }],
    };
    const nested: JsonObject = { type: 'object', properties: { variables, place } };
    expect(paramsFromSchema(nested, { constraints: true })).toEqual([
      {
        name: 'variables',
        type: 'object',
        required: false,
        minProperties: 1,
        maxProperties: 20,
        propertyNames: { pattern: '^[a-z]+$' },
        additionalProperties: { type: 'array', maxItems: 3, items: { type: 'number', minimum: 0 } },
      },
      {
        name: 'place',
        type: 'object',
        required: false,
        properties: [{ name: 'lat', type: 'number', required: true, minimum: -90 }],
        dependentRequired: { lat: ['lon'] },
        additionalProperties: false,
      },
    ]);
    expect(JSON.stringify(paramsFromSchema(nested, { constraints: false }))).not.toMatch(/additional|Properties":\d/);
  });

  it('show what they refer to, and end where definitions refer to themselves', () => {
    const point: JsonObject = {
      type: 'object',
      required: ['lat'],
      properties: { lat: { type: 'number', maximum: 90 } },
    };
    const route: JsonObject = {
      type: 'object',
      properties: { from: { $ref: '#/$defs/point', description: 'Where it begins.' }, gone: { $ref: '#/$defs/100%' } },
      $defs: { point },
    };
    expect(paramsFromSchema(route, { constraints: true })).toEqual([
      {
        name: 'from',
        type: 'object',
        required: false,
        description: 'Where it begins.',
        properties: [{ name: 'lat', type: 'number', required: true, maximum: 90 }],
      },
      { name: 'gone', type: 'any', required: false },
    ]);
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const again = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }])),
    };
    const endless: JsonObject = { ...again, $defs: { node: again } };
    expect(JSON.stringify(paramsFromSchema(endless, { constraints: true })).length).toBeLessThan(200_000);
  });

  it('take the texts of the language', () => {
    const [city] = paramsFromSchema(schema, { constraints: false, descriptions: { city: '城市名称' } });
    expect(city?.description).toBe('城市名称');
  });

  it('are none for a schema without properties, and end for a very deep one', () => {
    expect(paramsFromSchema({ type: 'object' }, { constraints: false })).toEqual([]);
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 50; level += 1) deep = { type: 'object', properties: { next: deep } };
    expect(JSON.stringify(paramsFromSchema(deep, { constraints: false })).length).toBeLessThan(1_000);
  });
});
