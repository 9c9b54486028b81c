import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** The parts of a JSON Schema of a value that a caller is shown. */
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
/** Values that are shown of definitions; they may refer to each other, so that few of them can stand for very many. */
const MAX_REFERRED_VALUES = 1_000;

/** The definitions that are shown, and how much more may be. */
interface Showing {
  readonly options: ParamOptions;
  readonly root: JsonObject;
  referredLeft: number;
}

/** The properties of an object schema, in their order. References are followed where constraints are shown. */
export function paramsFromSchema(schema: JsonObject, options: ParamOptions): ParamDefinition[] {
  return propertiesOf(schema, { options, root: schema, referredLeft: MAX_REFERRED_VALUES }, 1);
}

function propertiesOf(schema: JsonObject, showing: Showing, depth: number): ParamDefinition[] {
  const { options } = showing;
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => {
    const { type, ...value } = definitionOf(isJsonObject(property) ? property : {}, showing, depth);
    const translated = depth === 1 ? options.descriptions?.[name] : undefined;
    const definition = { name, type, required: required.includes(name), ...value };
    return translated === undefined ? definition : { ...definition, description: translated };
  });
}

function definitionOf(written: JsonObject, showing: Showing, depth: number): ValueDefinition {
  const { constraints } = showing.options;
  const schema = constraints ? referred(written, showing) : written;
  const { description, items } = schema;
  const deeper = depth < MAX_SCHEMA_DEPTH && showing.referredLeft > 0;
  const nested = deeper ? propertiesOf(schema, showing, depth + 1) : [];
  return {
    type: typeOf(schema),
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(schema['enum']) ? { enum: schema['enum'] } : {}),
    ...(deeper && isJsonObject(items) ? { items: definitionOf(items, showing, depth + 1) } : {}),
    ...(nested.length > 0 ? { properties: nested } : {}),
    ...(constraints ? { ...constraintsOf(schema), ...(deeper ? othersOf(schema, showing, depth) : {}) } : {}),
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

/** The schema of members of an object beyond `properties`, or whether there may be any. */
function othersOf(schema: JsonObject, showing: Showing, depth: number): Record<string, unknown> {
  const { additionalProperties: others } = schema;
  if (typeof others === 'boolean') return { additionalProperties: others };
  return isJsonObject(others) ? { additionalProperties: definitionOf(others, showing, depth + 1) } : {};
}

/** A pointer in a reference is percent-encoded; where it is not, it is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Steps from reference to reference. */
const MAX_STEPS = 10;

/** The schema with what it refers to; members beside the reference win. Itself where that is not in the document. */
function referred(written: JsonObject, showing: Showing): JsonObject {
  let schema = written;
  for (let step = 0; step < MAX_STEPS && typeof schema['$ref'] === 'string'; step += 1) {
    const { $ref: reference, ...beside } = schema;
    const target = atPointer(showing.root, String(reference));
    if (target === undefined || showing.referredLeft <= 0) return beside;
    showing.referredLeft -= 1;
    schema = { ...target, ...beside };
  }
  return schema;
}

function atPointer(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = root;
  for (const segment of reference.slice(2).split('/')) {
    const name = decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return isJsonObject(value) ? value : undefined;
}

function constraintsOf(schema: JsonObject): Record<string, JsonValue> {
  const constraints: Record<string, JsonValue> = {};
  for (const keyword of constraintKeywords) {
    const value = schema[keyword];
    if (value !== undefined) constraints[keyword] = value;
  }
  for (const keyword of schemaKeywords) {
    const value = schema[keyword];
    // A keyword that refers to definitions says nothing without them.
    if (value !== undefined && !JSON.stringify(value).includes('"$ref"')) constraints[keyword] = value;
  }
  return constraints;
}
