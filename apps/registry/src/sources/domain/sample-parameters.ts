import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { asText } from './clean-text.js';

/** Levels of a made-up value. */
const MAX_DEPTH = 5;
/** Bytes, about, of a sample value from a document. */
const MAX_SAMPLE_LENGTH = 4_000;

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  uuid: '0190b3a0-0000-7000-8000-000000000000',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/**
 * Parameters with which the tool could be called: what the source shows as examples and defaults, and where a required
 * one has neither, a value of its type. They may still not fit: whoever shows them checks them.
 */
export function sampleParameters(schema: JsonObject, examples: ReadonlyMap<string, JsonValue>): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const sample: [string, JsonValue][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const given = examples.get(name);
    if (given !== undefined && JSON.stringify(given).length <= MAX_SAMPLE_LENGTH) sample.push([name, given]);
    else if (required.has(name)) sample.push([name, sampleOf(property, schema, 0)]);
    else if (isJsonObject(property)) {
      const shown = shownIn(property);
      if (shown !== undefined) sample.push([name, shown]);
    }
  }
  return Object.fromEntries(sample);
}

function shownIn({ examples, default: preset }: JsonObject): JsonValue | undefined {
  return Array.isArray(examples) ? examples[0] : preset;
}

function sampleOf(value: JsonValue | undefined, root: JsonObject, depth: number): JsonValue {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return 'value';
  const deeper = (child: JsonValue | undefined): JsonValue => sampleOf(child, root, depth + 1);
  const shown = shownIn(value) ?? value['const'] ?? (Array.isArray(value['enum']) ? value['enum'][0] : undefined);
  if (shown !== undefined) return shown;
  const reference = value['$ref'];
  if (typeof reference === 'string' && isJsonObject(root['$defs'])) {
    return deeper(root['$defs'][reference.slice('#/$defs/'.length)]);
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    const members = value[keyword];
    if (Array.isArray(members) && value['type'] === undefined) return deeper(members[0]);
  }
  const { type } = value;
  return ofType(Array.isArray(type) ? type[0] : type, value, deeper);
}

function ofType(type: unknown, schema: JsonObject, deeper: (child: JsonValue | undefined) => JsonValue): JsonValue {
  switch (type) {
    case 'integer':
    case 'number':
      return numberIn(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Number(schema['minItems'] ?? 1) === 0 ? [] : [deeper(schema['items'])];
    case 'object': {
      const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
      const required = Array.isArray(schema['required']) ? schema['required'] : [];
      return Object.fromEntries(required.map((name) => [asText(name), deeper(properties[asText(name)])]));
    }
    default: {
      const text = byFormat[asText(schema['format'])] ?? 'value';
      return text
        .padEnd(Math.min(Number(schema['minLength'] ?? 0), MAX_SAMPLE_LENGTH), 'x')
        .slice(0, Number(schema['maxLength'] ?? MAX_SAMPLE_LENGTH));
    }
  }
}

function numberIn({ minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}
