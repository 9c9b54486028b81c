import { createRequire } from 'node:module';
import type { JsonObject } from '@capability-router/kernel';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { portablePattern } from './portable-pattern.js';

export type RequestClass = abstract new (...parameters: never[]) => object;

/** A rule of class-validator, as its storage has it. */
type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type ToSchema = (constraints: readonly unknown[]) => JsonObject;

export interface RequestSchemaOptions {
  /** An optional member of a body may be null; a parameter of a query cannot be. */
  readonly nullable: boolean;
  /** Members that the class does not name are refused. */
  readonly closed: boolean;
  /** Members that have a default elsewhere than in the class. */
  readonly defaults?: JsonObject;
}

/** The part of class-transformer's storage that knows the class of a nested member; its entry does not export it. */
const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  readonly defaultMetadataStorage: {
    findTypeMetadata(target: RequestClass, member: string): { typeFunction(): RequestClass } | undefined;
  };
};

/** By the name of the rule. One that is not here fails the generation, so that no rule is left out in silence. */
const schemas: Readonly<Record<string, ToSchema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  min: ([least]) => ({ minimum: least as number }),
  max: ([most]) => ({ maximum: most as number }),
  sizeOrAll: () => ({ minimum: -1, not: { const: 0 } }),
  minLength: ([least]) => ({ type: 'string', minLength: least as number }),
  maxLength: ([most]) => ({ type: 'string', maxLength: most as number }),
  arrayMinSize: ([least]) => ({ minItems: least as number }),
  arrayMaxSize: ([most]) => ({ maxItems: most as number }),
  arrayUnique: () => ({ uniqueItems: true }),
  isIn: ([values]) => ({ enum: [...(values as readonly (string | number)[])] }),
  matches: ([pattern]) => ({ type: 'string', pattern: portablePattern(pattern as RegExp) }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isISO31661Alpha2: () => ({ type: 'string' }),
  isISO4217CurrencyCode: () => ({ type: 'string' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isLength: ([least, most]) => ({ type: 'string', minLength: least as number, maxLength: most as number }),
  // A day that there is, which no pattern says.
  isWithinCalendar: () => ({}),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  // At most six decimals: `multipleOf` is not exact for numbers of floating point.
  isAmount: () => ({ type: 'number' }),
  creditAmount: ([bounds]) => ({ type: 'number', ...(bounds as JsonObject) }),
  callCredits: ([most]) => ({ type: 'number', minimum: 0, maximum: most as number }),
  creditNumber: ([most]) => ({ type: 'number', minimum: 0, maximum: most as number }),
};

/** The form of a body or a query, from the rules by which the service judges it. Throws for a rule that it does not know. */
export function requestSchema(request: RequestClass, options: RequestSchemaOptions): JsonObject {
  const rules = getMetadataStorage().getTargetValidationMetadatas(request, '', false, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const rulesOf = (name: string): Rule[] => rules.filter(({ propertyName }) => propertyName === name);
  // A member of a fresh instance has what it has where nobody sends it.
  const defaults = { ...options.defaults, ...new (request as new () => JsonObject)() };
  const required = names.filter((name) => !rulesOf(name).some((rule) => mayBeAbsent(rule))).sort();
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        { ...memberSchema(request, name, rulesOf(name), options), ...defaultIn(defaults, name) },
      ]),
    ),
    ...(options.closed ? { additionalProperties: false } : {}),
  };
}

function defaultIn(defaults: JsonObject, name: string): JsonObject {
  const value = defaults[name];
  return value === undefined ? {} : { default: value };
}

/** `ValidateIf` as well. */
const isOptional = ({ type }: Rule): boolean => type === ValidationTypes.CONDITIONAL_VALIDATION;

/** A condition that holds where the member is absent, as one that lets null through does, asks for the member all the same. */
const mayBeAbsent = (rule: Rule): boolean => {
  if (!isOptional(rule)) return false;
  const [holds] = rule.constraints as readonly ((body: object, value: unknown) => boolean)[];
  return holds?.({}, undefined) !== true;
};

/** Members of any JSON, of which no rule is to say more. */
const anyJson: ReadonlySet<string> = new Set(['CandidateBody.sample_result']);

/** Null is let through by a condition that does not hold for it. */
const mayBeNull = (rules: readonly Rule[], name: string): boolean =>
  rules
    .filter(isOptional)
    .some(({ constraints: [holds] }) => !(holds as (body: object, value: unknown) => boolean)({ [name]: null }, null));

function memberSchema(
  request: RequestClass,
  name: string,
  rules: readonly Rule[],
  options: RequestSchemaOptions,
): JsonObject {
  const judged = rules.filter((rule) => !isOptional(rule));
  const partsOf = (each: boolean): JsonObject[] =>
    judged
      .filter((rule) => rule.each === each || (!each && !rule.each))
      .map((rule) => ruleSchema(request, rule, options));
  const own = joined(partsOf(false));
  const items = joined(partsOf(true));
  const schema = Object.keys(items).length === 0 ? own : { ...own, type: 'array', items };
  if (anyJson.has(`${request.name}.${name}`)) return {};
  if (Object.keys(schema).length === 0) throw new Error(`${request.name}.${name}: nothing is said of its form`);
  return options.nullable && mayBeNull(rules, name) ? orNull(schema) : schema;
}

function ruleSchema(request: RequestClass, rule: Rule, options: RequestSchemaOptions): JsonObject {
  const place = `${request.name}.${rule.propertyName}`;
  if (rule.type === ValidationTypes.NESTED_VALIDATION) {
    const nested = defaultMetadataStorage.findTypeMetadata(request, rule.propertyName) ?? nestedOfParent(request, rule);
    if (nested === undefined) throw new Error(`${place}: the class of this member is not known; name it with @Type`);
    return requestSchema(nested.typeFunction(), { nullable: options.nullable, closed: true });
  }
  const toSchema = schemas[rule.name ?? ''];
  if (toSchema === undefined) throw new Error(`${place}: say in request-schema.ts what "${rule.name ?? rule.type}" is`);
  return toSchema((rule.constraints as readonly unknown[] | undefined) ?? []);
}

/** A rule that is inherited is known by the class that declares it. */
const nestedOfParent = (_request: RequestClass, rule: Rule): { typeFunction(): RequestClass } | undefined =>
  typeof rule.target === 'function'
    ? defaultMetadataStorage.findTypeMetadata(rule.target as RequestClass, rule.propertyName)
    : undefined;

/** Several patterns of one member hold together, and the narrowest of its bounds; any other keyword is the same in each rule that has it. */
function joined(parts: readonly JsonObject[]): JsonObject {
  const patterns = [...new Set(parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])))];
  const members = parts.flatMap((part) => Object.entries(part)).filter(([name]) => name !== 'pattern');
  const rest: JsonObject = {
    ...Object.fromEntries(members),
    ...narrowest(parts, 'minimum', Math.max),
    ...narrowest(parts, 'maximum', Math.min),
  };
  const [first, ...more] = patterns;
  if (first === undefined) return rest;
  return { ...rest, pattern: first, ...(more.length === 0 ? {} : { allOf: more.map((pattern) => ({ pattern })) }) };
}

function narrowest(parts: readonly JsonObject[], name: string, of: (...bounds: number[]) => number): JsonObject {
  const bounds = parts.flatMap(({ [name]: bound }) => (typeof bound === 'number' ? [bound] : []));
  return bounds.length === 0 ? {} : { [name]: of(...bounds) };
}

function orNull(schema: JsonObject): JsonObject {
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return { ...schema, enum: [...values, null] };
  return typeof type === 'string' ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}
