import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { compiledPattern } from './linear-pattern.js';

/** Same-place schemas that lead to one another, beyond which a schema is never done with a value. */
const MAX_CHAIN = 1_000;
/** Characters times instructions of a pattern that take about as long as one check. */
const PATTERN_STEPS_PER_CHECK = 100;

const alternatives = ['allOf', 'anyOf', 'oneOf'] as const;
const conditions = ['not', 'if', 'then', 'else'] as const;
const ofEveryItem = ['contains', 'unevaluatedItems'] as const;

/**
 * About how many checks it takes at most to hold a value to a schema; `Infinity` beyond `limit`. A schema may ask for
 * more than there is time for, and the value decides: alternatives that lead back to themselves double with each level,
 * and items that are to be unique are compared each with each. Looks no further than the limit, so it ends in time itself.
 */
export function checksNeeded(schema: JsonObject, value: JsonValue, limit: number): number {
  const counter = new Counter(schema, limit);
  return counter.visit(schema, value, 0) ? limit - counter.left : Number.POSITIVE_INFINITY;
}

class Counter {
  private readonly targets = new Map<string, JsonValue | undefined>();

  constructor(
    private readonly root: JsonObject,
    public left: number,
  ) {}

  /** False when there is nothing left. */
  visit(schema: JsonValue | undefined, value: JsonValue, chain: number): boolean {
    if (!isJsonObject(schema)) return this.spend(1);
    const { enum: allowed } = schema;
    if (chain > MAX_CHAIN || !this.spend(Array.isArray(allowed) ? allowed.length + 1 : 1)) return false;
    if (!this.visitSamePlace(schema, value, chain + 1)) return false;
    if (typeof value === 'string') return this.visitText(schema, value);
    if (Array.isArray(value)) return this.visitItems(schema, value);
    return !isJsonObject(value) || this.visitMembers(schema, value);
  }

  private spend(checks: number): boolean {
    this.left -= checks;
    return this.left >= 0;
  }

  /** Schemas that apply to the same value. */
  private visitSamePlace(schema: JsonObject, value: JsonValue, chain: number): boolean {
    const reference = schema['$ref'];
    if (typeof reference === 'string' && !this.visit(this.targetOf(reference), value, chain)) return false;
    for (const keyword of alternatives) {
      const listed = schema[keyword];
      if (Array.isArray(listed)) for (const same of listed) if (!this.visit(same, value, chain)) return false;
    }
    for (const keyword of conditions) {
      if (schema[keyword] !== undefined && !this.visit(schema[keyword], value, chain)) return false;
    }
    const dependent = schema['dependentSchemas'];
    return !isJsonObject(dependent) || Object.values(dependent).every((same) => this.visit(same, value, chain));
  }

  private visitText({ pattern }: JsonObject, text: string): boolean {
    return typeof pattern !== 'string' || this.spend(patternChecks(pattern, text));
  }

  private visitItems(schema: JsonObject, items: readonly JsonValue[]): boolean {
    const { prefixItems: first, items: rest } = schema;
    const from = Array.isArray(first) ? first.length : 0;
    if (schema['uniqueItems'] === true && !this.compareItems(rest, items)) return false;
    return items.every((item, index) => {
      if (index < from && !this.visit((first as JsonValue[])[index], item, 0)) return false;
      if (index >= from && rest !== undefined && !this.visit(rest, item, 0)) return false;
      return ofEveryItem.every((keyword) => schema[keyword] === undefined || this.visit(schema[keyword], item, 0));
    });
  }

  /** Each is compared with each before it, unless they can be looked up. */
  private compareItems(rest: JsonValue | undefined, items: readonly JsonValue[]): boolean {
    const types = isJsonObject(rest) ? [rest['type'] ?? []].flat() : [];
    const areScalar = types.length > 0 && !types.some((type) => type === 'object' || type === 'array');
    if (areScalar) return this.spend(items.length);
    return this.spend((items.length * valuesIn(items, this.left)) / 2);
  }

  private visitMembers(schema: JsonObject, value: JsonObject): boolean {
    const names = Object.keys(value);
    const { properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties } = schema;
    const known = isJsonObject(properties) ? properties : {};
    const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
    const required = schema['required'];
    if (!this.spend(names.length + (Array.isArray(required) ? required.length : 0))) return false;
    for (const name of names) {
      const inner = value[name] ?? null;
      const isKnown = Object.hasOwn(known, name);
      if (isKnown && !this.visit(known[name], inner, 0)) return false;
      let isMatched = false;
      for (const [pattern, sub] of patterns) {
        if (!this.spend(patternChecks(pattern, name))) return false;
        if (compiledPattern(pattern)?.test(name) === false) continue;
        isMatched = true;
        if (!this.visit(sub, inner, 0)) return false;
      }
      if (!isKnown && !isMatched && additionalProperties !== undefined) {
        if (!this.visit(additionalProperties, inner, 0)) return false;
      }
      if (propertyNames !== undefined && !this.visit(propertyNames, name, 0)) return false;
      if (unevaluatedProperties !== undefined && !this.visit(unevaluatedProperties, inner, 0)) return false;
    }
    return true;
  }

  private targetOf(reference: string): JsonValue | undefined {
    if (!this.targets.has(reference)) this.targets.set(reference, lookUp(reference, this.root));
    return this.targets.get(reference);
  }
}

/** At least one. */
function patternChecks(pattern: string, text: string): number {
  const size = compiledPattern(pattern)?.programSize() ?? 0;
  return 1 + Math.ceil((size * text.length) / PATTERN_STEPS_PER_CHECK);
}

/** Values in a list, with all that is in them; counted up to `limit`. */
function valuesIn(value: JsonValue | readonly JsonValue[], limit: number): number {
  let count = 0;
  const walk = (inner: JsonValue): boolean => {
    count += 1;
    if (count > limit) return false;
    if (Array.isArray(inner)) return inner.every(walk);
    return !isJsonObject(inner) || Object.values(inner).every(walk);
  };
  walk(value as JsonValue);
  return count;
}

function lookUp(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  let target: JsonValue | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(target)) target = target[Number(name)];
    else target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Schemas in a schema, below which a small value is checked in no time. */
const MAX_PLAIN_SCHEMAS = 300;
/** Instructions of a pattern below which a text of any length is checked in time. */
const MAX_PLAIN_PATTERN = 40;

/**
 * Can no value of a few thousand parts take many checks? True for a schema without references, without items that are to
 * be unique, and with few parts: for most tools nothing has to be counted.
 */
export function isPlain(schema: JsonObject): boolean {
  let left = MAX_PLAIN_SCHEMAS;
  const look = (part: JsonValue): boolean => {
    if (Array.isArray(part)) return part.every(look);
    if (!isJsonObject(part)) return true;
    left -= 1;
    if (left < 0 || typeof part['$ref'] === 'string' || part['uniqueItems'] === true) return false;
    const { pattern, patternProperties, enum: allowed } = part;
    if (typeof pattern === 'string' && (compiledPattern(pattern)?.programSize() ?? 0) > MAX_PLAIN_PATTERN) return false;
    if (isJsonObject(patternProperties)) return false;
    if (Array.isArray(allowed)) left -= allowed.length;
    return Object.values(part).every(look);
  };
  return look(schema);
}
