import type { ErrorObject } from 'ajv';
import {
  isJsonObject,
  isSecret,
  NOT_SHOWN,
  receivedOf,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import type { ValidationDetail } from '@capability-router/contracts';
import { nearestName } from './nearest-name.js';
import { previewInput } from './preview-input.js';

const PARAMETERS_LOC = ['body', 'parameters'] as const;

/** One fault that ajv found in `document`, in the words of this API. `base`: where the document is in the request. */
export function detailOf(
  error: ErrorObject,
  document: JsonValue,
  base: readonly (string | number)[] = PARAMETERS_LOC,
): ValidationDetail {
  const path = pointerSegments(error.instancePath);
  const { loc, value } = locate(path, document, base);
  const params = error.params as Readonly<Record<string, unknown>>;
  const at = (type: string, msg: string): ValidationDetail => ({
    type,
    loc,
    msg,
    ...echoOf(loc.at(-1), value),
    ...allowedBy(error.parentSchema),
  });
  switch (error.keyword) {
    case 'required':
      return missing(error, loc, String(params['missingProperty']));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownField(error, loc, String(params['additionalProperty'] ?? params['unevaluatedProperty']), value);
    case 'type':
      return at(typeName(params['type']), `Input should be ${typeText(params['type'])}`);
    case 'enum':
      return at('enum', `Input should be one of ${oneOf(params['allowedValues'])}`);
    case 'const':
      return at('enum', `Input should be ${JSON.stringify(params['allowedValue'])}`);
    default:
      return at(typeByKeyword[error.keyword] ?? 'value_error', `Input ${error.message ?? 'is invalid'}`);
  }
}

const typeByKeyword: Readonly<Record<string, string>> = {
  maxLength: 'too_long',
  maxItems: 'too_long',
  maxProperties: 'too_long',
  minLength: 'too_short',
  minItems: 'too_short',
  minProperties: 'too_short',
  maximum: 'less_than_equal',
  exclusiveMaximum: 'less_than',
  minimum: 'greater_than_equal',
  exclusiveMinimum: 'greater_than',
  multipleOf: 'multiple_of',
  pattern: 'string_pattern_mismatch',
  format: 'format',
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'string_type',
  integer: 'int_type',
  number: 'float_type',
  boolean: 'bool_type',
  array: 'list_type',
  object: 'dict_type',
};

function typeName(type: unknown): string {
  return (typeof type === 'string' ? typeNames[type] : undefined) ?? 'type_error';
}

function typeText(type: unknown): string {
  if (Array.isArray(type)) return type.join(' or ');
  return type === 'integer' || type === 'array' || type === 'object' ? `an ${String(type)}` : `a ${String(type)}`;
}

/** Entries of an enum that a message lists. */
const MAX_LISTED_VALUES = 20;

function oneOf(values: unknown): string {
  if (!Array.isArray(values)) return 'the allowed values';
  const listed = values.slice(0, MAX_LISTED_VALUES).map((value) => JSON.stringify(value));
  return values.length > MAX_LISTED_VALUES ? `${listed.join(', ')}, …` : listed.join(', ');
}

function unknownField(
  error: ErrorObject,
  loc: readonly (string | number)[],
  name: string,
  value: JsonValue | undefined,
): ValidationDetail {
  const schema = error.parentSchema as { properties?: object } | undefined;
  // Sorted: a copy of the contract may have lost the order, and the answer should not depend on who gives it.
  const known = Object.keys(schema?.properties ?? {}).sort();
  const nearest = nearestName(name, known);
  const help =
    nearest !== undefined
      ? `did you mean "${nearest}"?`
      : `known fields: ${known.length === 0 ? 'none' : known.slice(0, MAX_LISTED_VALUES).join(', ')}`;
  const input = isJsonObject(value) ? value[name] : undefined;
  return {
    type: 'extra_forbidden',
    loc: [...loc, name],
    msg: `Unknown field "${name}"; ${help}`,
    ...(input === undefined ? {} : echoOf(name, input)),
    ...(known.length === 0 || known.length > MAX_LISTED_VALUES ? {} : { allowed: { propertyNames: { enum: known } } }),
  };
}

function missing({ parentSchema }: ErrorObject, loc: readonly (string | number)[], name: string): ValidationDetail {
  const properties: unknown = parentSchema?.['properties'];
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  return { type: 'missing', loc: [...loc, name], msg: 'Field required', ...allowedBy(schema) };
}

const echoOf = (name: unknown, value: JsonValue | undefined) => ({
  input: isSecret(name, value) ? NOT_SHOWN : previewInput(value),
  ...(value === undefined ? {} : { received: receivedOf(name, value) }),
});

/** Keywords of a schema that say what a value may be; a description says nothing that a machine reads. */
const toldKeywords = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'pattern',
  'format',
] as const;
/** Characters of JSON beyond which a keyword is left out. */
const MAX_KEYWORD_LENGTH = 200;

function allowedBy(schema: unknown): { allowed?: JsonObject } {
  if (!isJsonObject(schema)) return {};
  const told = toldKeywords.flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined || JSON.stringify(value).length > MAX_KEYWORD_LENGTH ? [] : [[keyword, value] as const];
  });
  return told.length === 0 ? {} : { allowed: Object.fromEntries(told) };
}

function pointerSegments(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A pointer does not tell array indices from names: the value does. */
function locate(
  path: readonly string[],
  document: JsonValue,
  base: readonly (string | number)[],
): { loc: (string | number)[]; value: JsonValue | undefined } {
  const loc: (string | number)[] = [...base];
  let value: JsonValue | undefined = document;
  for (const segment of path) {
    if (Array.isArray(value)) {
      loc.push(Number(segment));
      value = value[Number(segment)];
    } else {
      loc.push(segment);
      value = isJsonObject(value) ? value[segment] : undefined;
    }
  }
  return { loc, value };
}
