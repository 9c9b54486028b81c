import { isJsonObject } from '@capability-router/kernel';
import type { JsonObject, JsonValue } from '@capability-router/kernel';

/** What of a JSON Schema a caller is shown of a value. */
export interface ValueDefinition {
  /** A JSON Schema type, `any` where the schema names none. */
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly items?: ValueDefinition;
  readonly properties?: readonly ParamDefinition[];
  /** `default`, bounds, `pattern`, `format`: as in the schema, only where they were asked for. */
  readonly [constraint: string]: unknown;
}

/** An item of `params[]`. */
export interface ParamDefinition extends ValueDefinition {
  readonly name: string;
  readonly required: boolean;
}

export interface ParamOptions {
  /** Texts by parameter name that replace the schema's own. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Also show `default` and what bounds a value. */
  readonly constraints: boolean;
}

const constraintKeywords = [
  'default',
  'examples',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'minContains',
  'maxContains',
  'const',
] as const;
/** Keywords that hold schemas, which are shown as they are. */
const schemaKeywords = [
  'propertyNames',
  'patternProperties',
  'contains',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
] as const;

/** Levels of nesting that are shown. */
const MAX_SCHEMA_DEPTH = 8;

/** The properties of an object schema, in their order. */
export function paramsFromSchema(schema: JsonObject, options: ParamOptions): ParamDefinition[] {
  return propertiesOf(schema, options, 1);
}

function propertiesOf(schema: JsonObject, options: ParamOptions, depth: number): ParamDefinition[] {
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => {
    const { type, ...value } = definitionOf(isJsonObject(property) ? property : {}, options, depth);
    const translated = depth === 1 ? options.descriptions?.[name] : undefined;
    const definition = { name, type, required: required.includes(name), ...value };
    return translated === undefined ? definition : { ...definition, description: translated };
  });
}

function definitionOf(schema: JsonObject, options: ParamOptions, depth: number): ValueDefinition {
  const { description, items } = schema;
  const deeper = depth < MAX_SCHEMA_DEPTH;
  const nested = deeper ? propertiesOf(schema, options, depth + 1) : [];
  return {
    type: typeOf(schema),
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(schema['enum']) ? { enum: schema['enum'] } : {}),
    ...(deeper && isJsonObject(items) ? { items: definitionOf(items, options, depth + 1) } : {}),
    ...(nested.length > 0 ? { properties: nested } : {}),
    ...(options.constraints ? { ...constraintsOf(schema), ...othersOf(schema, options, depth) } : {}),
  };
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const named = type.find((entry): entry is string => typeof entry === 'string' && entry !== 'null');
    if (named !== undefined) return named;
  }
  const [first] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const inferred = typeof first;
  return inferred === 'string' || inferred === 'number' || inferred === 'boolean' ? inferred : 'any';
}

/** What the members of an object beyond `properties` must be: a schema as that of any value, or whether there may be any. */
function othersOf(schema: JsonObject, options: ParamOptions, depth: number): Record<string, unknown> {
  const { additionalProperties: others } = schema;
  if (typeof others === 'boolean') return { additionalProperties: others };
  if (!isJsonObject(others) || depth >= MAX_SCHEMA_DEPTH) return {};
  return { additionalProperties: definitionOf(others, options, depth + 1) };
}

function constraintsOf(schema: JsonObject): Record<string, JsonValue> {
  const constraints: Record<string, JsonValue> = {};
  for (const keyword of constraintKeywords) {
    const value = schema[keyword];
    if (value !== undefined) constraints[keyword] = value;
  }
  for (const keyword of schemaKeywords) {
    const value = schema[keyword];
    // What refers to definitions says nothing without them.
    if (value !== undefined && !JSON.stringify(value).includes('"$ref"')) constraints[keyword] = value;
  }
  return constraints;
}
