import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { mapValues, type ValueMapping } from './capability-mapping.js';

/** As in JSON Schema; `any` stands for a schema that names none: whatever is there, null as well. */
export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** The promise of a contract about one field of its result. */
export interface ResultField {
  /** One of several where it is a list: `['string', 'null']` is a text, or null where there is none to tell. */
  readonly type: FieldType | readonly FieldType[];
  /** A result without the field, or with null where its types have none, does not serve. */
  readonly required: boolean;
}

/** The fields of `result.data` after mapping, by name. Fields that are not named may be there as well. */
export type ResultFields = Readonly<Record<string, ResultField>>;

/** `misfit`: why the result does not keep what the contract promises. It names fields and types, never values. */
export type MappedResult = { readonly data: JsonObject } | { readonly misfit: string };

/** Is it a field of a contract, as it comes from another service? */
export const isResultField = (value: unknown): value is ResultField =>
  isJsonObject(value) && isFieldType(value['type']) && typeof value['required'] === 'boolean';

function isFieldType(type: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.length > 0 && types.every((each) => (fieldTypes as readonly unknown[]).includes(each));
}

/**
 * The fields that the JSON Schema of a result describes, in its order. A field whose schema names no type may be
 * anything.
 */
export function resultFieldsOf(schema: JsonObject): ResultFields {
  const { properties, required } = schema;
  const names: readonly JsonValue[] = Array.isArray(required) ? required : [];
  const described = Object.entries(isJsonObject(properties) ? properties : {});
  return Object.fromEntries(
    described.map(([name, field]) => [name, { type: typeIn(field), required: names.includes(name) }]),
  );
}

function typeIn(schema: JsonValue | undefined): ResultField['type'] {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  return isFieldType(type) ? (type as ResultField['type']) : 'any';
}

/**
 * Makes the result of a capability out of a tool's `result.data`, and holds it to what the contract promises. Costs no
 * more than the mapping and the fields are long. A mapping that is no mapping is a misfit as well. `computed`: as in `mapValues`.
 */
export function mapResult(
  mapping: ValueMapping | undefined,
  fields: ResultFields,
  data: JsonValue,
  computed?: JsonObject,
): MappedResult {
  let mapped: JsonValue;
  try {
    mapped = mapValues(mapping, data, computed);
  } catch {
    return { misfit: 'the mapping of the result has a path that names no place' };
  }
  if (!isJsonObject(mapped)) return { misfit: `the result is ${typeOf(mapped)}, and not an object` };
  for (const [name, { type, required }] of Object.entries(fields)) {
    const value = Object.hasOwn(mapped, name) ? mapped[name] : undefined;
    const types: readonly FieldType[] = typeof type === 'string' ? [type] : type;
    if (value !== undefined && types.some((each) => isOfType(value, each))) continue;
    if (value === undefined || value === null) {
      if (required) return { misfit: `the field ${name} is missing` };
    } else {
      return { misfit: `the field ${name} is ${typeOf(value)}, and not ${types.join(' or ')}` };
    }
  }
  return { data: mapped };
}

function isOfType(value: JsonValue, type: FieldType): boolean {
  if (type === 'any') return true;
  if (type === 'integer') return Number.isInteger(value);
  return typeOf(value) === type;
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
