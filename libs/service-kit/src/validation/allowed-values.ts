import type { JsonObject } from '@capability-router/kernel';
import { getMetadataStorage, type ValidationError } from 'class-validator';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Values of a list, and characters of a pattern, beyond which an error does not tell them. */
const MAX_LISTED_VALUES = 20;
const MAX_PATTERN_LENGTH = 120;

/** Keywords of JSON Schema for the rules of class-validator; a rule that is not here is told by its message alone. */
const keywords: Readonly<Record<string, (constraint: unknown) => JsonObject>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  min: (least) => ({ minimum: least as number }),
  max: (most) => ({ maximum: most as number }),
  minLength: (least) => ({ minLength: least as number }),
  maxLength: (most) => ({ maxLength: most as number }),
  arrayMinSize: (least) => ({ minItems: least as number }),
  arrayMaxSize: (most) => ({ maxItems: most as number }),
  isIn: (values) => listed(values),
  matches: (pattern) => patternOf(pattern as RegExp),
  isUuid: () => ({ format: 'uuid' }),
  isEmail: () => ({ format: 'email' }),
  isUrl: () => ({ format: 'uri' }),
  isIso8601: () => ({ format: 'date-time' }),
  sizeOrAll: () => ({ minimum: -1, not: { const: 0 } }),
  // Amounts of credits have six decimals at most, which no keyword says exactly.
  creditAmount: (bounds) => ({ type: 'number', ...(bounds as JsonObject) }),
  creditNumber: (most) => ({ type: 'number', minimum: 0, maximum: most as number }),
  callCredits: (most) => ({ type: 'number', minimum: 0, maximum: most as number }),
};

const listed = (values: unknown): JsonObject =>
  Array.isArray(values) && values.length <= MAX_LISTED_VALUES ? { enum: values as string[] } : {};

/** One that needs flags, or that nobody would read, is told by its message. */
const patternOf = ({ source, flags }: RegExp): JsonObject =>
  (flags.replace('u', '') === '' || (flags === 's' && !source.includes('.'))) &&
  source.length <= MAX_PATTERN_LENGTH &&
  !source.includes('\\p{')
    ? { pattern: source }
    : {};

/** The names that a body or a query of the class has; undefined where an error would not tell so many. */
export function knownNamesOf({ target }: Pick<ValidationError, 'target'>): JsonObject | undefined {
  if (target === undefined || Array.isArray(target)) return undefined;
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))].sort();
  return names.length === 0 || names.length > MAX_LISTED_VALUES ? undefined : { propertyNames: { enum: names } };
}

/** All that the rules of the member let through, in the form of JSON Schema; undefined where none of them can be told so. */
export function allowedOf({ target, property }: Pick<ValidationError, 'target' | 'property'>): JsonObject | undefined {
  if (target === undefined || Array.isArray(target)) return undefined;
  const all = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const rules = all.filter(({ propertyName }) => propertyName === property);
  const own = joined(rules.filter(({ each }) => !each));
  const items = joined(rules.filter(({ each }) => each));
  const allowed = Object.keys(items).length === 0 ? own : { ...own, items };
  return Object.keys(allowed).length === 0 ? undefined : allowed;
}

/** The narrowest of several bounds holds; any other keyword is the same in each rule that has it. */
function joined(rules: readonly Rule[]): JsonObject {
  const parts = rules.map(({ name, constraints }): JsonObject => {
    const [constraint] = (constraints as readonly unknown[] | undefined) ?? [];
    return keywords[name ?? '']?.(constraint) ?? {};
  });
  const boundsOf = (name: string): number[] =>
    parts.flatMap(({ [name]: bound }) => (typeof bound === 'number' ? [bound] : []));
  const [least, most] = [boundsOf('minimum'), boundsOf('maximum')];
  return {
    ...(Object.assign({}, ...parts) as JsonObject),
    ...(least.length === 0 ? {} : { minimum: Math.max(...least) }),
    ...(most.length === 0 ? {} : { maximum: Math.min(...most) }),
  };
}
