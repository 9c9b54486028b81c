import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { cleanText } from '../clean-text.js';

/** Characters of one description within a schema. */
const MAX_DESCRIPTION_LENGTH = 600;
const MAX_PATTERN_LENGTH = 500;
/** Values that an enumeration may list; one that lists more is left out. */
const MAX_ENUM_VALUES = 500;
/** Examples of one value. */
const MAX_EXAMPLES = 3;

const types = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

/** Formats that a check can mean; others, such as `hostname or ip`, are said in the description at best. */
const formats = new Set([
  ...[
    'date',
    'time',
    'date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
  ],
  ...[
    'uuid',
    'regex',
    'json-pointer',
    'relative-json-pointer',
    'byte',
    'int32',
    'int64',
    'float',
    'double',
    'password',
    'binary',
  ],
]);

const counts = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
];

const isFinite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isScalar = (value: JsonValue): boolean => typeof value !== 'object';

/**
 * The keywords of a schema that hold no schemas, as JSON Schema 2020-12 has them. What is malformed is left out: a check
 * that is missing lets the provider decide, a schema that does not compile lets nobody call the tool.
 */
export function plainKeywords(schema: JsonObject, nullableIsKeyword: boolean): JsonObject {
  const type = typeOf(schema, nullableIsKeyword);
  const values = enumOf(schema, nullableIsKeyword);
  const description = cleanText(schema['description'] ?? schema['title'], MAX_DESCRIPTION_LENGTH);
  const examples = examplesOf(schema);
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { enum: values }),
    ...(schema['const'] === undefined ? {} : { const: schema['const'] }),
    ...(schema['default'] === undefined ? {} : { default: schema['default'] }),
    ...(typeof schema['format'] === 'string' && formats.has(schema['format']) ? { format: schema['format'] } : {}),
    ...patternOf(schema['pattern']),
    ...rangeOf(schema),
    ...Object.fromEntries(counts.flatMap((name) => (isCount(schema[name]) ? [[name, schema[name]]] : []))),
    ...(schema['uniqueItems'] === true ? { uniqueItems: true } : {}),
    ...(schema['deprecated'] === true ? { deprecated: true } : {}),
    ...dependentRequiredOf(schema['dependentRequired']),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function typeOf({ type, nullable }: JsonObject, nullableIsKeyword: boolean): string | string[] | undefined {
  const named = (Array.isArray(type) ? type : [type]).filter(
    (name): name is string => typeof name === 'string' && types.has(name),
  );
  // Nothing is sure about a list that names an unknown type.
  if (named.length === 0 || (Array.isArray(type) && named.length < type.length)) return undefined;
  const all = new Set(nullableIsKeyword && nullable === true ? [...named, 'null'] : named);
  const [only] = all;
  return all.size === 1 ? only : [...all];
}

function enumOf({ enum: values, nullable }: JsonObject, nullableIsKeyword: boolean): JsonValue[] | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_ENUM_VALUES) return undefined;
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  const addsNull = nullableIsKeyword && nullable === true && !distinct.includes(null);
  return addsNull ? [...distinct, null] : distinct;
}

function patternOf(pattern: JsonValue | undefined): JsonObject {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_LENGTH || !isPattern(pattern)) return {};
  return { pattern };
}

export function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Up to 3.0, `exclusiveMinimum` says of `minimum` whether it is allowed; since 3.1 it is a bound of its own. */
function rangeOf(schema: JsonObject): JsonObject {
  const range: JsonObject = {};
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] === true && isFinite(schema[bound])) range[exclusive] = schema[bound];
    else if (isFinite(schema[bound])) range[bound] = schema[bound];
    if (isFinite(schema[exclusive])) range[exclusive] = schema[exclusive];
  }
  const { multipleOf } = schema;
  return isFinite(multipleOf) && multipleOf > 0 ? { ...range, multipleOf } : range;
}

function dependentRequiredOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  const lists = Object.values(value).every(
    (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
  );
  return lists ? { dependentRequired: value } : {};
}

function examplesOf({ example, examples }: JsonObject): JsonValue[] {
  const listed = Array.isArray(examples) ? examples : example === undefined ? [] : [example];
  return listed.filter(isScalar).slice(0, MAX_EXAMPLES);
}

/** The names that `required` lists; in old dialects it can be a boolean, which means something else. */
export const requiredNames = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? [...new Set(required.filter((name): name is string => typeof name === 'string'))] : [];
