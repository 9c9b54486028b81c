import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { mapValues, type ValueMapping } from './capability-mapping.js';

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** What a contract promises of one field of its result. */
export interface ResultField {
  readonly type: FieldType;
  /** A result without the field, or with null in its place, does not serve. */
  readonly required: boolean;
}

/** The fields of `result.data` after mapping, by name. Fields that are not named may be there as well. */
export type ResultFields = Readonly<Record<string, ResultField>>;

/** `misfit`: why the result does not keep what the contract promises. It names fields and types, never values. */
export type MappedResult = { readonly data: JsonObject } | { readonly misfit: string };

/**
 * Makes the result of a capability out of a tool's `result.data`, and holds it to what the contract promises. Costs no more than the
 * mapping and the fields are long. A mapping that is no mapping is a misfit as well.
 */
export function mapResult(mapping: ValueMapping | undefined, fields: ResultFields, data: JsonValue): MappedResult {
  let mapped: JsonValue;
  try {
    mapped = mapValues(mapping, data);
  } catch {
    return { misfit: 'the mapping of the result has a path that names no place' };
  }
  if (!isJsonObject(mapped)) return { misfit: `the result is ${typeOf(mapped)}, and not an object` };
  for (const [name, { type, required }] of Object.entries(fields)) {
    const value = Object.hasOwn(mapped, name) ? mapped[name] : undefined;
    if (value === undefined || value === null) {
      if (required) return { misfit: `the field ${name} is missing` };
    } else if (!isOfType(value, type)) {
      return { misfit: `the field ${name} is ${typeOf(value)}, and not ${type}` };
    }
  }
  return { data: mapped };
}

function isOfType(value: JsonValue, type: FieldType): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeOf(value) === type;
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
