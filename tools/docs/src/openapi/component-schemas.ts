import * as answers from '@capability-router/contracts/answers';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

const { answerShapes } = answers;

const isShape = (value: unknown): value is { readonly schema: JsonObject } =>
  typeof value === 'function' && 'schema' in value && isJsonObject(value.schema);

const modelName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** An answer, or an object with members that is declared by a name of its own. */
const isModel = ({ properties }: JsonObject): boolean => isJsonObject(properties) && Object.keys(properties).length > 0;

/** By the schema itself, its name: shapes are put together of others, so that the same object stands wherever it is used. */
function nameSchemas(): Map<JsonObject, string> {
  const names = new Map<JsonObject, string>();
  for (const [name, { schema }] of Object.entries(answerShapes)) {
    // Any object stands in many places, and is the answer of none of them.
    if (!names.has(schema) && schema !== answers.anyObject.schema) names.set(schema, name);
  }
  for (const [name, shape] of Object.entries(answers)) {
    if (isShape(shape) && isModel(shape.schema) && !names.has(shape.schema)) names.set(shape.schema, modelName(name));
  }
  return names;
}

/**
 * The schemas of answers that `document` refers to, and what these refer to: each is declared once, by a name of which generated
 * clients make their types. `more`: schemas by their names.
 */
export function componentSchemas(document: JsonObject, more: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = nameSchemas();
  const referred = (value: JsonValue, isTop: boolean): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => referred(item, false));
    if (!isJsonObject(value)) return value;
    const name = isTop ? undefined : names.get(value);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, referred(inner, false)]));
  };
  const components: Record<string, JsonValue> = { ...more };
  for (const [schema, name] of names) {
    if (components[name] !== undefined) throw new Error(`two shapes of answers are called ${name}`);
    components[name] = referred(schema, true);
  }
  // Answers that have the schema of another one.
  for (const [name, { schema }] of Object.entries(answerShapes)) components[name] ??= referred(schema, false);
  return Object.fromEntries(reachedFrom(document, components).map((name) => [name, components[name] ?? {}]));
}

/** Names in the order of the alphabet. */
function reachedFrom(document: JsonObject, components: Readonly<Record<string, JsonValue>>): string[] {
  const reached = new Set<string>();
  const waiting: JsonValue[] = [document];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const component = components[name];
      if (component === undefined) throw new Error(`there is no schema called ${name}`);
      if (reached.has(name)) continue;
      reached.add(name);
      waiting.push(component);
    }
  }
  return [...reached].sort();
}
