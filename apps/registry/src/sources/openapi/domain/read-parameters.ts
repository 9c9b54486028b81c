import { isHeaderName, isReservedHeader, type HttpPlacement } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { asText } from '../../domain/clean-text.js';
import type { Documents, Located } from '../../domain/documents.js';
import { NotImportable } from '../../domain/imported.js';
import { flattenObject } from '../../domain/schema/flatten-object.js';
import type { SchemaConverter } from '../../domain/schema/schema-converter.js';
import type { ParameterSet } from './parameter-set.js';

export interface OperationParts {
  readonly documents: Documents;
  readonly schemas: SchemaConverter;
  readonly parameters: ParameterSet;
  /** Takes a sentence about what could not be taken over. */
  readonly note: (sentence: string) => void;
}

/** Headers that are negotiated or carry the credential; OpenAPI says that parameters of these names are to be ignored. */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

interface Declared {
  readonly name: string;
  readonly where: string;
  readonly value: JsonObject;
  readonly base: string;
}

/** The parameters of an operation and of its path; those of the operation win. Throws `NotImportable`, `ReferenceFault`. */
export function readParameters(parts: OperationParts, path: string, declared: readonly Located[]): void {
  const byPlace = new Map<string, Declared>();
  for (const located of declared) {
    const { value, base } = parts.documents.object(located);
    const { name, in: where } = value;
    if (typeof name !== 'string' || typeof where !== 'string' || name === '') continue;
    byPlace.set(`${where} ${where === 'header' ? name.toLowerCase() : name}`, { name, where, value, base });
  }
  const slots = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, slot = '']) => slot);
  for (const slot of slots) {
    if (byPlace.has(`path ${slot}`)) continue;
    parts.note(`The path parameter "${slot}" is not declared; it is taken as a text.`);
    byPlace.set(`path ${slot}`, { name: slot, where: 'path', value: { schema: { type: 'string' } }, base: '' });
  }
  for (const parameter of byPlace.values()) {
    if (parameter.where === 'path' && !slots.includes(parameter.name)) continue;
    readParameter(parts, parameter);
  }
}

function readParameter(parts: OperationParts, parameter: Declared): void {
  const { name, where, value } = parameter;
  if (where === 'header' && ignoredHeaders.has(name.toLowerCase())) return;
  const required = where === 'path' || value['required'] === true;
  const problem = problemOf(parameter);
  if (problem !== undefined) {
    if (required) throw new NotImportable(`It needs the ${where} parameter "${name}", ${problem}.`);
    parts.note(`The ${where} parameter "${name}" is left out: ${problem}.`);
    return;
  }
  const schema = schemaOf(parameter);
  if (where === 'query' && spread(parts, parameter, schema, required)) return;
  const placement: HttpPlacement = { in: where as HttpPlacement['in'], ...listOf(parameter) };
  parts.parameters.add({
    name,
    placement,
    schema: parts.schemas.convert(schema),
    required,
    description: value['description'],
    example: exampleOf(parts.documents, value, parameter.base),
  });
}

/** Why a parameter has no place in our requests; undefined where it has one. */
function problemOf({ name, where, value }: Declared): string | undefined {
  if (where === 'cookie') return 'and cookies are not sent';
  if (!['path', 'query', 'header'].includes(where)) return 'whose place is unknown';
  if (where === 'header' && isReservedHeader(name)) return 'which belongs to the connection';
  if (!/^[!-~]{1,200}$/.test(name) || (where === 'header' && !isHeaderName(name))) return 'whose name cannot be sent';
  if (where === 'path' && !['simple', undefined].includes(value['style'] as string | undefined)) {
    return `whose style "${asText(value['style']).slice(0, 50)}" is not supported`;
  }
  return undefined;
}

function schemaOf({ value, base }: Declared): Located {
  const { schema, content } = value;
  if (schema !== undefined) return { value: schema, base };
  const [media] = isJsonObject(content) ? Object.values(content) : [];
  return { value: (isJsonObject(media) ? media['schema'] : undefined) ?? {}, base };
}

/** An object in the query is as many query parameters as it has properties. */
function spread(parts: OperationParts, { name, value }: Declared, schema: Located, required: boolean): boolean {
  if (value['content'] !== undefined) return false;
  const style = value['style'] ?? 'form';
  const isSpread = style === 'deepObject' || (style === 'form' && value['explode'] !== false);
  const flat = isSpread ? flattenObject(parts.documents, schema) : undefined;
  if (flat === undefined) return false;
  const names: string[] = [];
  const needed: string[] = [];
  for (const [property, schemas] of flat.properties) {
    const isNeeded = flat.required.has(property);
    const target = style === 'deepObject' ? `${name}[${property}]` : property;
    if (!/^[!-~]{1,200}$/.test(target))
      throw new NotImportable(`The query parameter "${name}" has names that cannot be sent.`);
    const given = parts.parameters.add({
      name: target,
      placement: { in: 'query' },
      schema: convertAll(parts.schemas, schemas),
      required: required && isNeeded,
    });
    names.push(given);
    if (isNeeded) needed.push(given);
  }
  if (!required) parts.parameters.requireTogether(names, needed);
  return true;
}

/** One schema that says what all of them say. */
export function convertAll(schemas: SchemaConverter, all: readonly Located[]): JsonValue {
  const [first, ...rest] = all;
  if (first === undefined) return {};
  return rest.length === 0 ? schemas.convert(first) : { allOf: all.map((schema) => schemas.convert(schema)) };
}

function listOf({ where, value }: Declared): { list?: NonNullable<HttpPlacement['list']> } {
  const { style } = value;
  if (style === 'pipeDelimited') return { list: 'pipe' };
  if (style === 'spaceDelimited') return { list: 'space' };
  return where === 'query' && value['explode'] === false ? { list: 'comma' } : {};
}

/** The first example of a parameter or a media type. */
export function exampleOf(documents: Documents, value: JsonObject, base: string): JsonValue | undefined {
  if (value['example'] !== undefined) return value['example'];
  const [first] = isJsonObject(value['examples']) ? Object.values(value['examples']) : [];
  if (first === undefined) return undefined;
  return documents.object({ value: first, base }).value['value'];
}
