import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import type { Documents, Located } from '../documents.js';
import { requiredNames } from './keywords.js';

/** Objects that one is made of. */
const MAX_PARTS = 50;

/** The properties of an object, one by one; each fits all the schemas that it has. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, readonly Located[]>;
  readonly required: ReadonlySet<string>;
}

/** Keywords that say more of an object than its properties do. */
const limiting = [
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'enum',
  'const',
  'nullable',
];

/**
 * An object by its properties, through references and `allOf`, so that each can be a parameter of its own. Undefined for
 * what properties alone do not describe. Throws `ReferenceFault`.
 */
export function flattenObject(documents: Documents, schema: Located): FlatObject | undefined {
  const properties = new Map<string, Located[]>();
  const required = new Set<string>();
  let parts = 0;
  const add = (located: Located): boolean => {
    parts += 1;
    const { value, base } = documents.follow(located);
    if (!isJsonObject(value) || parts > MAX_PARTS || !isPlain(value)) return false;
    const { properties: members, allOf = [] } = value;
    for (const [name, child] of Object.entries(isJsonObject(members) ? members : {})) {
      properties.set(name, [...(properties.get(name) ?? []), { value: child, base }]);
    }
    for (const name of requiredNames(value)) required.add(name);
    return Array.isArray(allOf) && allOf.every((part) => add({ value: part, base }));
  };
  if (!add(schema) || properties.size === 0) return undefined;
  const isReadOnly = (schemas: readonly Located[]): boolean =>
    schemas.some(({ value }) => isJsonObject(value) && value['readOnly'] === true);
  for (const [name, schemas] of properties) {
    if (!isReadOnly(schemas)) continue;
    properties.delete(name);
    required.delete(name);
  }
  // A name that is required and has no schema can be anything.
  for (const name of required) if (!properties.has(name)) properties.set(name, [{ value: {}, base: schema.base }]);
  return { properties, required };
}

function isPlain(schema: JsonObject): boolean {
  const { type, additionalProperties: more } = schema;
  if (type !== undefined && type !== 'object') return false;
  // A schema for other names is a map, whose names are data.
  if (isJsonObject(more) && Object.keys(more).length > 0) return false;
  return limiting.every((keyword) => schema[keyword] === undefined || schema[keyword] === false);
}
