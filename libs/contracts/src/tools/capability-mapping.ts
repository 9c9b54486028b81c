import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/**
 * Where one value comes from: a place in the source, a constant, or what an expression makes of the source. `from` is a singular
 * query of RFC 9535 (`$.a['b'][0]`): it names one place at most, so such a member costs no more than it is long. `jsonata` can
 * cost anything, and is evaluated in a process of its own before the members are made.
 */
export type MappedValue =
  | {
      readonly from: string;
      /** Translates texts, such as the names of an enumeration; a text that is not named stays as it is. */
      readonly values?: Readonly<Record<string, JsonValue>>;
      /** Used where the source has nothing there. Without it the member is left out. */
      readonly default?: JsonValue;
    }
  | { readonly value: JsonValue }
  | { readonly jsonata: string };

/** Characters of one JSONata expression. */
export const MAX_EXPRESSION_LENGTH = 1_000;

/** By the name of the member that is made. */
export type ValueMapping = Readonly<Record<string, MappedValue>>;

/** One tool that can serve a capability. */
export interface CapabilityCandidate {
  readonly toolId: string;
  /** The tool's parameters, from the capability's. The same by the same names where absent. */
  readonly parameters?: ValueMapping;
  /** The capability's result, from the tool's `result.data`. The same where absent. */
  readonly result?: ValueMapping;
  /** An example of the tool's `result.data`, which the result is made of where the contract is published. There is one where an expression makes a part of the result. */
  readonly sampleResult?: JsonValue;
}

/** The expressions of a mapping by the member that each makes; undefined where it has none. */
export function expressionsOf(mapping: ValueMapping | undefined): Readonly<Record<string, string>> | undefined {
  const expressions = Object.entries(mapping ?? {}).flatMap(([name, mapped]): [string, string][] =>
    'jsonata' in mapped ? [[name, mapped.jsonata]] : [],
  );
  return expressions.length === 0 ? undefined : Object.fromEntries(expressions);
}

/** One segment: `.name`, `['name']`, `["name"]` or `[index]`. Names in quotes hold no quote and no backslash. */
const segment = /\.([A-Za-z_][A-Za-z0-9_]*)|\[(?:'([^'\\]*)'|"([^"\\]*)"|(0|-?[1-9]\d{0,8}))\]/y;

/**
 * Makes the members of `mapping` out of `source`. `computed`: what its expressions made of the source, by member; one that made
 * nothing is not in it. Throws `SyntaxError` for a path that is no singular query, and `Error` where there are expressions and
 * nothing was computed.
 */
export function mapValues(mapping: ValueMapping | undefined, source: JsonValue, computed?: JsonObject): JsonValue {
  if (mapping === undefined) return source;
  const members = Object.entries(mapping).flatMap(([name, mapped]): [string, JsonValue][] => {
    const value = 'jsonata' in mapped ? computedOf(name, computed) : valueOf(mapped, source);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

function computedOf(name: string, computed: JsonObject | undefined): JsonValue | undefined {
  if (computed === undefined) throw new Error('the expressions of a mapping are evaluated before its members are made');
  return Object.hasOwn(computed, name) ? computed[name] : undefined;
}

function valueOf(mapped: Exclude<MappedValue, { jsonata: string }>, source: JsonValue): JsonValue | undefined {
  if (!('from' in mapped)) return mapped.value;
  const { from, values } = mapped;
  const there = parseSingularQuery(from).reduce<JsonValue | undefined>(memberOf, source);
  // Null is a value: only absence takes the default.
  const found = there === undefined ? mapped.default : there;
  return typeof found === 'string' && values !== undefined && Object.hasOwn(values, found) ? values[found] : found;
}

/** Names and indexes from the root on. */
export function parseSingularQuery(path: string): (string | number)[] {
  const segments: (string | number)[] = [];
  let position = 1;
  while (path.startsWith('$') && position < path.length) {
    segment.lastIndex = position;
    const match = segment.exec(path);
    if (match === null) break;
    const [whole, plain, single, double, index] = match;
    segments.push(index === undefined ? (plain ?? single ?? double ?? '') : Number(index));
    position += whole.length;
  }
  if (!path.startsWith('$') || position < path.length) {
    throw new SyntaxError(`"${path}" is no path to one value. Write it like $.a['b'][0].`);
  }
  return segments;
}

function memberOf(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (typeof name === 'number') return Array.isArray(value) ? value.at(name) : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
