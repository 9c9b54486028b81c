import type { ValidationDetail } from '@capability-router/contracts';
import { isSecret, receivedOf, wellFormed } from '@capability-router/kernel';
import type { ValidationError } from 'class-validator';
import { allowedOf, knownNamesOf } from './allowed-values.js';

/** Faults reported of one request. */
const MAX_DETAILS = 50;
/** Characters of a string that is echoed as `input`. */
const MAX_ECHOED_CHARACTERS = 200;

/** Said of a number such as `1e400`. */
const ENDLESS_NUMBER = 'Input should be a finite number; this one is beyond ±1.79e308';

/** class-validator's constraint to the type that clients of this API know. */
const typeOfConstraint: Readonly<Record<string, string>> = {
  whitelistValidation: 'extra_forbidden',
  isDefined: 'missing',
  isNotEmpty: 'string_too_short',
  isString: 'string_type',
  isInt: 'int_type',
  isNumber: 'float_type',
  isBoolean: 'bool_type',
  isArray: 'list_type',
  isObject: 'dict_type',
  nestedValidation: 'model_type',
  isIn: 'enum',
  isEnum: 'enum',
  min: 'greater_than_equal',
  sizeOrAll: 'greater_than_equal',
  max: 'less_than_equal',
  isPositive: 'greater_than',
  isNegative: 'less_than',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  arrayMinSize: 'too_short',
  arrayNotEmpty: 'too_short',
  arrayMaxSize: 'too_long',
  matches: 'string_pattern_mismatch',
  isUuid: 'uuid_parsing',
  isDateString: 'datetime_from_date_parsing',
  isIso8601: 'datetime_from_date_parsing',
  isUrl: 'url_parsing',
};

/** A value of the wrong kind breaks its bounds too; of several faults of a field the first of these is told. */
const kindConstraints = [
  'whitelistValidation',
  'isDefined',
  'isString',
  'isInt',
  'isNumber',
  'isBoolean',
  'isArray',
  'isObject',
];

/** Flattens class-validator's tree to one entry a field, in the order of the class. At most 50. */
export function toValidationDetails(
  errors: readonly ValidationError[],
  location: readonly (string | number)[],
): ValidationDetail[] {
  const details: ValidationDetail[] = [];
  for (const error of errors) collect(error, location, details);
  return details;
}

function collect(error: ValidationError, parent: readonly (string | number)[], details: ValidationDetail[]): void {
  if (details.length >= MAX_DETAILS) return;
  const loc = [...parent, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const constraints = error.constraints ?? {};
  const names = Object.keys(constraints);
  const name = kindConstraints.find((kind) => names.includes(kind)) ?? names[0];
  if (name !== undefined) details.push(detailOf(name, constraints[name] ?? '', loc, error));
  for (const child of error.children ?? []) collect(child, loc, details);
}

function detailOf(
  constraint: string,
  message: string,
  loc: (string | number)[],
  error: ValidationError,
): ValidationDetail {
  const { property, value } = error as { readonly property: string; readonly value?: unknown };
  if (constraint === 'whitelistValidation') {
    const allowed = knownNamesOf(error);
    const known = allowed === undefined ? {} : { allowed };
    return { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', ...echo(property, value), ...known };
  }
  const allowed = allowedOf(error);
  const rule = allowed === undefined ? {} : { allowed };
  // JSON's reader makes infinity of it, which is a number to the rules of types.
  if (typeof value === 'number' && !Number.isFinite(value))
    return { type: 'finite_number', loc, msg: ENDLESS_NUMBER, ...echo(property, value), ...rule };
  if (value === undefined) return { type: 'missing', loc, msg: 'Field required', ...rule };
  return { type: typeOfConstraint[constraint] ?? 'value_error', loc, msg: message, ...echo(property, value), ...rule };
}

/** Only short scalars are sent back as they came, since what came in may be large; a secret never. */
function echo(name: string, value: unknown): { input?: unknown; received?: unknown } {
  const received = { received: receivedOf(name, value) };
  if (isSecret(name, value)) return received;
  if (typeof value === 'number' && !Number.isFinite(value)) return received;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return { input: value, ...received };
  const isShort = typeof value === 'string' && value.length <= MAX_ECHOED_CHARACTERS;
  return isShort ? { input: wellFormed(value), ...received } : received;
}
