import { MAX_PATTERN_SIZE, patternSize } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { cleanText } from '../clean-text.js';
import type { Documents, Located } from '../documents.js';
import { NotImportable } from '../imported.js';
import { isPattern, plainKeywords, requiredNames } from './keywords.js';
import type { SchemaDepth } from './schema-bounds.js';

/** Schemas that one tool may be made of. */
const MAX_SCHEMAS = 5_000;

export interface SchemaDialect extends SchemaDepth {
  /** OpenAPI 3.0, whose `nullable` is a keyword and where nothing counts beside `$ref`. */
  readonly openApi30: boolean;
  /** Properties that only answers have are left out. */
  readonly dropReadOnly: boolean;
}

interface Pending {
  readonly name: string;
  readonly schema: Located;
  readonly depth: number;
}

const maps = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const singles = [
  ...['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'contains', 'propertyNames'],
  ...['not', 'if', 'then', 'else'],
];

/**
 * Schemas of foreign documents to JSON Schema 2020-12 in one piece. References stay references, to definitions that are
 * collected here, so that a schema which refers to itself costs no more than any other. Keywords that are not known are
 * left out.
 */
export class SchemaConverter {
  private readonly definitions = new Map<string, JsonValue>();
  private readonly names = new Map<string, string>();
  private readonly pending: Pending[] = [];
  private schemas = 0;
  private patternSize = 0;
  /** Something was beyond the depth and is not described. */
  truncated = false;

  constructor(
    private readonly documents: Documents,
    private readonly dialect: SchemaDialect,
  ) {}

  /** Throws `ReferenceFault` and `NotImportable`. */
  convert(schema: Located): JsonValue {
    return this.schema(schema, 0, 0);
  }

  /** Definitions, after `finish`. */
  get size(): number {
    return this.definitions.size;
  }

  /** All definitions that converted schemas refer to, `{}` or `{ $defs }`. To be called last. */
  finish(): JsonObject {
    // Nearest first, so that the depth of a definition is its least one.
    for (let next = this.pending.shift(); next !== undefined; next = this.pending.shift()) {
      this.definitions.set(next.name, this.schema(next.schema, next.depth, 0));
    }
    if (this.definitions.size === 0) return {};
    return { $defs: Object.fromEntries(this.definitions) };
  }

  private schema({ value, base }: Located, depth: number, level: number): JsonValue {
    this.schemas += 1;
    if (this.schemas > MAX_SCHEMAS)
      throw new NotImportable(`Its parameters are made of more than ${MAX_SCHEMAS} schemas.`);
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) return {};
    if (level > this.dialect.maxInlineDepth) return this.undescribed(value);
    const reference = value['$ref'];
    if (typeof reference === 'string') return this.reference(reference, { value, base, depth, level });
    return this.nullable(value, this.keywords({ value, base, depth, level }));
  }

  private reference(reference: string, at: At): JsonValue {
    const { value, base, depth } = at;
    const target = this.documents.resolve(reference, base);
    const { $ref: _reference, ...rest } = value;
    let name = this.names.get(target.id);
    if (name === undefined) {
      if (depth >= this.dialect.maxReferenceDepth)
        return this.undescribed(isJsonObject(target.value) ? target.value : value);
      name = this.nameOf(target.id);
      this.names.set(target.id, name);
      this.pending.push({ name, schema: target, depth: depth + 1 });
    }
    const description = cleanText(value['description'], MAX_REFERENCE_DESCRIPTION);
    const beside = this.dialect.openApi30
      ? description === undefined
        ? {}
        : { description }
      : this.keywords({ ...at, value: rest });
    return this.nullable(value, { ...beside, $ref: `#/$defs/${name}` });
  }

  private keywords({ value, base, depth, level }: At): JsonObject {
    const inner = (child: JsonValue): JsonValue => this.schema({ value: child, base }, depth, level + 1);
    const converted: JsonObject = plainKeywords(value, this.dialect.openApi30);
    if (!this.takes(converted['pattern'])) delete converted['pattern'];
    for (const keyword of maps) {
      const members = value[keyword];
      if (!isJsonObject(members)) continue;
      const kept = Object.entries(members).filter(
        ([name, child]) =>
          !(keyword === 'properties' && this.isReadOnly(child)) &&
          !(keyword === 'patternProperties' && !(isPattern(name) && this.takes(name))),
      );
      if (kept.length > 0) converted[keyword] = Object.fromEntries(kept.map(([name, child]) => [name, inner(child)]));
    }
    for (const keyword of lists) {
      const members = value[keyword];
      if (Array.isArray(members) && members.length > 0) converted[keyword] = members.map(inner);
    }
    for (const keyword of singles) {
      const child = value[keyword];
      if (isJsonObject(child) || typeof child === 'boolean') converted[keyword] = inner(child);
    }
    // A list of schemas by position, as it was written before 2020-12.
    const { items, additionalItems } = value;
    if (Array.isArray(items) && items.length > 0) {
      converted['prefixItems'] = items.map(inner);
      if (isJsonObject(additionalItems) || typeof additionalItems === 'boolean')
        converted['items'] = inner(additionalItems);
    }
    const required = requiredNames(value).filter((name) => !this.isReadOnly(memberOf(value['properties'], name)));
    if (required.length > 0) converted['required'] = required;
    return converted;
  }

  /** Patterns that would take too long to compile together are left out, as any check that is missing: the provider decides. */
  private takes(pattern: JsonValue | undefined): pattern is string {
    if (typeof pattern !== 'string') return false;
    const size = this.patternSize + patternSize(pattern);
    if (size > MAX_PATTERN_SIZE) return false;
    this.patternSize = size;
    return true;
  }

  /** `nullable` without a type, or beside a reference, is one more alternative. */
  private nullable(value: JsonObject, converted: JsonObject): JsonObject {
    if (!this.dialect.openApi30 || value['nullable'] !== true || converted['type'] !== undefined) return converted;
    if (Object.keys(converted).every((keyword) => keyword === 'description' || keyword === 'examples'))
      return converted;
    const { description, ...schema } = converted;
    return { ...(description === undefined ? {} : { description }), anyOf: [schema, { type: 'null' }] };
  }

  private isReadOnly(property: JsonValue | undefined): boolean {
    return this.dialect.dropReadOnly && isJsonObject(property) && property['readOnly'] === true;
  }

  private undescribed(schema: JsonObject): JsonObject {
    this.truncated = true;
    const { type, description } = plainKeywords(schema, this.dialect.openApi30);
    return { ...(type === undefined ? {} : { type }), ...(description === undefined ? {} : { description }) };
  }

  private nameOf(id: string): string {
    const last = id.split('/').at(-1) ?? '';
    const name =
      last
        .replaceAll('~1', '_')
        .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
        .slice(0, MAX_NAME_LENGTH) || 'schema';
    const taken = new Set(this.names.values());
    if (!taken.has(name) && name !== '__proto__') return name;
    for (let count = 2; ; count += 1) if (!taken.has(`${name}_${count}`)) return `${name}_${count}`;
  }
}

interface At {
  readonly value: JsonObject;
  readonly base: string;
  readonly depth: number;
  readonly level: number;
}

const MAX_REFERENCE_DESCRIPTION = 600;
const MAX_NAME_LENGTH = 80;

const memberOf = (members: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
