import type { ToolContract } from '@capability-router/contracts';
import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { failed, listed, missing, passed, type Finding, type ObservedCall } from './finding.js';

/** A name in backquotes, as parameters are named: `from_city`. Anything else in backquotes is a value or code. */
const quotedName = /`([a-z][a-z0-9]*(?:_[a-z0-9]+)*)`/g;
/** Levels of a schema or a result of which names are taken. */
const MAX_DEPTH = 8;

/**
 * Passes where the text and the parameters keep to each other: every name that the English text of the tool or of a
 * parameter has in backquotes is a parameter, a value that the schema names, or a field of the results; and every
 * parameter has a description of its own or is named in the text of the tool.
 */
export function checkDescription(tool: ToolContract, calls: readonly ObservedCall[]): Finding {
  const name = 'description_contract';
  const properties = isJsonObject(tool.parametersSchema['properties']) ? tool.parametersSchema['properties'] : {};
  const schemaTexts: string[] = [];
  const known = new Set<string>();
  walkSchema(tool.parametersSchema, known, schemaTexts, 0);
  for (const { data } of calls) if (data !== undefined) walkNames(data, known, 0);
  const promised = [tool.description.en, ...schemaTexts].flatMap((text) =>
    [...text.matchAll(quotedName)].map(([, quoted = '']) => quoted),
  );
  const absent = [...new Set(promised)].filter((quoted) => !known.has(quoted));
  const undescribed = Object.entries(properties)
    .filter(([parameter, schema]) => !isDescribed(schema) && !tool.description.en.includes(`\`${parameter}\``))
    .map(([parameter]) => parameter);
  const evidence = { promised_but_absent: listed(absent), not_described: listed(undescribed) };
  const [unspoken] = undescribed;
  if (unspoken !== undefined) {
    return failed(name, `The parameter "${unspoken}" has no description, and the text does not name it.`, evidence);
  }
  const [promise] = absent;
  if (promise === undefined) return passed(name, evidence);
  if (calls.every(({ data }) => data === undefined)) {
    return missing(
      name,
      `The text names \`${promise}\`, which may be a field of results, and no example was answered.`,
    );
  }
  return failed(name, `The text names \`${promise}\`, which is no parameter, value or field of the tool.`, evidence);
}

const isDescribed = (schema: JsonValue | undefined): boolean =>
  isJsonObject(schema) && typeof schema['description'] === 'string' && /\S/.test(schema['description']);

/** Names of properties, values of enumerations and defaults, and descriptions, wherever in the schema they stand. */
function walkSchema(schema: JsonValue | undefined, names: Set<string>, texts: string[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(schema)) {
    for (const part of schema) walkSchema(part, names, texts, depth + 1);
    return;
  }
  if (!isJsonObject(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'description') {
      if (typeof value === 'string') texts.push(value);
    } else if (keyword === 'enum' || keyword === 'const' || keyword === 'default' || keyword === 'examples') {
      walkNames(value, names, depth + 1);
    } else if (keyword === 'properties' && isJsonObject(value)) {
      for (const [property, part] of Object.entries(value)) {
        names.add(property);
        walkSchema(part, names, texts, depth + 1);
      }
    } else {
      walkSchema(value, names, texts, depth + 1);
    }
  }
}

/** Members and texts of a value. */
function walkNames(value: JsonValue, names: Set<string>, depth: number): void {
  if (typeof value === 'string') names.add(value);
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  for (const [member, part] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(member);
    walkNames(part ?? null, names, depth + 1);
  }
}
