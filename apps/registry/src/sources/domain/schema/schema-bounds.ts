import { MAX_SCHEMA_PARTS, schemaParts } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';

/** Characters of a tool's schema as JSON; the catalogue takes 65,536 bytes. */
const MAX_SCHEMA_LENGTH = 60_000;
/** Definitions that a tool's schema refers to: each is compiled when the tool is first called or probed. */
const MAX_DEFINITIONS = 100;

export interface SchemaDepth {
  /** Definitions that lead to one another; what is beyond is not described. */
  readonly maxReferenceDepth: number;
  /** Levels that are written out within one definition. */
  readonly maxInlineDepth: number;
}

/** Tried until the schema is small enough. */
export const schemaDepths: readonly SchemaDepth[] = [
  ...[20, 3, 2, 1, 0].map((maxReferenceDepth) => ({ maxReferenceDepth, maxInlineDepth: 30 })),
  ...[5, 3, 2, 1].map((maxInlineDepth) => ({ maxReferenceDepth: 0, maxInlineDepth })),
];

/** More than the catalogue takes? `definitions`: those that it refers to. */
export const isTooLarge = (schema: JsonObject, definitions: number): boolean =>
  definitions > MAX_DEFINITIONS ||
  JSON.stringify(schema).length > MAX_SCHEMA_LENGTH ||
  schemaParts(schema) > MAX_SCHEMA_PARTS;

export const tooLargeMessage = `The schema of its parameters is longer than ${MAX_SCHEMA_LENGTH} characters, refers to more than ${MAX_DEFINITIONS} definitions, or has more than ${MAX_SCHEMA_PARTS} parts (schemas, keywords, names in lists).`;
export const truncatedNote = 'Its parameters are too large to be described whole; their depth is left out.';
