import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  MAX_PATTERN_SIZE,
  MAX_SCHEMA_PARTS,
  patternSize,
  schemaParts,
  subschemasOf,
  type ValidationDetail,
} from '@capability-router/contracts';
import { isJsonObject, once, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { detailOf } from '../parameters/ajv-details.js';

/** Bytes of its JSON. */
const MAX_SCHEMA_BYTES = 65_536;
/** Characters of one `pattern`. */
const MAX_PATTERN_LENGTH = 500;
/** Places that it refers to: each is compiled when the tool is first called or probed, in about a millisecond. */
const MAX_DEFINITIONS = 100;
/** Schemas that one value is checked against, through references and alternatives. */
const MAX_SCHEMAS_PER_VALUE = 2_000;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Keywords that would make the meaning of a reference depend on other documents. */
const refused = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$vocabulary', 'id'];

const metaSchema = once(() => new Ajv2020({ strict: false, allErrors: true, verbose: true }).getSchema(DIALECT));

type Loc = readonly (string | number)[];

/**
 * Will the schema compile, and can a check against it end? Not compiled here: that costs milliseconds, and an import
 * has a hundred thousand. So everything on which compiling fails is looked at instead.
 */
export function checkParametersSchema(schema: JsonObject, loc: Loc): ValidationDetail[] {
  const isSchema = metaSchema();
  if (isSchema === undefined) throw new Error('the meta-schema is not there');
  const size = Buffer.byteLength(JSON.stringify(schema));
  if (size > MAX_SCHEMA_BYTES) {
    return [{ type: 'too_long', loc, msg: `Schema should have at most ${MAX_SCHEMA_BYTES} bytes, not ${size}` }];
  }
  const dialect = schema['$schema'];
  if (dialect !== undefined && dialect !== DIALECT) {
    const msg = `Leave "$schema" out, or set it to "${DIALECT}"`;
    return [{ type: 'enum', loc: [...loc, '$schema'], msg, allowed: { enum: [DIALECT] } }];
  }
  if (isSchema(schema) !== true)
    return (isSchema.errors ?? []).slice(0, 5).map((error) => detailOf(error, schema, loc));
  const details: ValidationDetail[] = [];
  walk(schema, loc, schema, details);
  if (details.length > 0) return details.slice(0, 10);
  const excess = excessOf(schema);
  if (excess !== undefined) return [{ type: 'too_long', loc, msg: excess }];
  const fault = endlessness(schema);
  return fault === undefined ? [] : [{ type: 'value_error', loc, msg: fault }];
}

/** Why a schema is too large to be compiled in one go, as the first call does; undefined where it is not. */
function excessOf(schema: JsonObject): string | undefined {
  const definitions = referencesOf(schema).size;
  if (definitions > MAX_DEFINITIONS) {
    return `Schema should refer to at most ${MAX_DEFINITIONS} definitions, not ${definitions}`;
  }
  const parts = schemaParts(schema);
  if (parts > MAX_SCHEMA_PARTS) {
    return `Schema should have at most ${MAX_SCHEMA_PARTS} parts (schemas, keywords, names in lists), not ${parts}; describe less of what is deep inside`;
  }
  const size = patternsOf(schema).reduce((sum, pattern) => sum + patternSize(pattern), 0);
  if (size > MAX_PATTERN_SIZE) {
    return `Patterns of a schema, with repetitions such as {1,100} written out, should have at most ${MAX_PATTERN_SIZE} characters, not ${size}; repeat less, or use maxLength`;
  }
  return undefined;
}

function walk(schema: JsonValue | undefined, loc: Loc, root: JsonObject, details: ValidationDetail[]): void {
  if (!isJsonObject(schema)) return;
  for (const keyword of refused) {
    // `id` is only a keyword of older dialects where it names a document.
    if (schema[keyword] !== undefined && (keyword !== 'id' || typeof schema[keyword] === 'string')) {
      details.push({ type: 'extra_forbidden', loc: [...loc, keyword], msg: `"${keyword}" is not supported here` });
    }
  }
  const reference = schema['$ref'];
  if (typeof reference === 'string' && targetOf(reference, root) === undefined) {
    details.push({
      type: 'value_error',
      loc: [...loc, '$ref'],
      msg: 'Reference should point into this schema, "#/$defs/…"',
    });
  }
  checkPattern(schema['pattern'], [...loc, 'pattern'], details);
  for (const [keyword, members] of subschemasOf(schema)) {
    for (const [name, child] of members) {
      if (keyword === 'patternProperties') checkPattern(String(name), [...loc, keyword, name], details);
      walk(child, name === '' ? [...loc, keyword] : [...loc, keyword, name], root, details);
    }
  }
}

function referencesOf(root: JsonObject): Set<string> {
  const found = new Set<string>();
  const look = (schema: JsonValue): void => {
    if (!isJsonObject(schema)) return;
    if (typeof schema['$ref'] === 'string') found.add(schema['$ref']);
    for (const [, members] of subschemasOf(schema)) for (const [, child] of members) look(child);
  };
  look(root);
  return found;
}

function patternsOf(schema: JsonValue): string[] {
  if (!isJsonObject(schema)) return [];
  const own = typeof schema['pattern'] === 'string' ? [schema['pattern']] : [];
  const names = isJsonObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  const inner = subschemasOf(schema).flatMap(([, members]) => members.flatMap(([, child]) => patternsOf(child)));
  return [...own, ...names, ...inner];
}

function checkPattern(pattern: unknown, loc: Loc, details: ValidationDetail[]): void {
  if (typeof pattern !== 'string') return;
  if (pattern.length > MAX_PATTERN_LENGTH) {
    const msg = `Pattern should have at most ${MAX_PATTERN_LENGTH} characters`;
    details.push({ type: 'too_long', loc, msg, allowed: { maxLength: MAX_PATTERN_LENGTH } });
    return;
  }
  try {
    new RegExp(pattern, 'u');
  } catch {
    details.push({ type: 'value_error', loc, msg: 'Pattern should be a regular expression (ECMAScript, Unicode)' });
  }
}

function targetOf(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let target: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(target)) target = target[Number(name)];
    else target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * A schema that refers back to itself for the same value is never done with it, and one that refers twice to what refers
 * twice grows without end. References to parts of the value are harmless: the value ends.
 */
function endlessness(root: JsonObject): string | undefined {
  const costs = new Map<JsonValue, number | 'open'>();
  const cost = (schema: JsonValue | undefined): number => {
    if (!isJsonObject(schema)) return 1;
    const known = costs.get(schema);
    if (known === 'open') return Number.POSITIVE_INFINITY;
    if (known !== undefined) return known;
    costs.set(schema, 'open');
    let sum = 1;
    for (const child of samePlace(schema, root)) sum += cost(child);
    costs.set(schema, sum);
    return sum;
  };
  const visit = (schema: JsonValue): number => {
    if (!isJsonObject(schema)) return 0;
    let worst = cost(schema);
    for (const [, members] of subschemasOf(schema))
      for (const [, child] of members) worst = Math.max(worst, visit(child));
    return worst;
  };
  const worst = visit(root);
  if (worst === Number.POSITIVE_INFINITY) return 'Schema should not refer to itself for the same value';
  if (worst > MAX_SCHEMAS_PER_VALUE) return 'Schema should not check one value against so many alternatives';
  return undefined;
}

/** Schemas that apply to the same value. */
function* samePlace(schema: JsonObject, root: JsonObject): Generator<JsonValue | undefined> {
  if (typeof schema['$ref'] === 'string') yield targetOf(schema['$ref'], root);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(schema[keyword])) yield* schema[keyword];
  for (const keyword of ['not', 'if', 'then', 'else']) if (schema[keyword] !== undefined) yield schema[keyword];
  const dependent = schema['dependentSchemas'];
  if (isJsonObject(dependent)) yield* Object.values(dependent);
}
