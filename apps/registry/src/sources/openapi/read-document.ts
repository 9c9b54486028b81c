import { compileErrors, validate } from '@readme/openapi-parser';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { load, YAMLException } from 'js-yaml';

/** Characters of YAML: reading it takes ten times as long as JSON. */
export const MAX_YAML_LENGTH = 6_291_456;
/** Uses of anchors in one document. */
const MAX_ALIASES = 1_000;
/** Levels of nesting. */
const MAX_DEPTH = 100;
/** Values of one document, with what anchors repeat. */
const MAX_VALUES = 3_000_000;
/** Characters of what the validator has to say. */
const MAX_FAULT_LENGTH = 300;
const MAX_FAULTS = 10;
/** Bytes, about, of a document that is held to the schema of OpenAPI: it takes seconds for more. */
const MAX_VALIDATED_LENGTH = 4_194_304;

/** The document cannot be read; the message says why and where. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** JSON or YAML. Throws `UnreadableDocument`. */
export function parseDocument(text: string): JsonValue {
  const document = /^\s*[{[]/.test(text) ? (tryJson(text) ?? parseYaml(text)) : parseYaml(text);
  measure(document);
  return document;
}

function tryJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function parseYaml(text: string): JsonValue {
  if (text.length > MAX_YAML_LENGTH) {
    throw new UnreadableDocument(
      `YAML should have at most ${MAX_YAML_LENGTH} characters; convert the document to JSON`,
    );
  }
  try {
    return load(text, { maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH }) as JsonValue;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw new UnreadableDocument('It is neither JSON nor YAML');
    const place = error.mark === undefined ? '' : ` in line ${error.mark.line + 1}`;
    throw new UnreadableDocument(`It is neither JSON nor YAML${place}: ${error.reason.slice(0, MAX_FAULT_LENGTH)}`);
  }
}

/** A few lines of YAML can stand for billions of values, and what an anchor repeats counts each time. */
export function measure(document: JsonValue): void {
  let values = 0;
  const walk = (value: unknown, depth: number): void => {
    values += 1;
    if (values > MAX_VALUES) throw new UnreadableDocument(`It has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw new UnreadableDocument(`It is nested deeper than ${MAX_DEPTH} levels`);
    if (typeof value !== 'object' || value === null) return;
    for (const child of Object.values(value)) walk(child, depth + 1);
  };
  walk(document, 0);
}

/** An OpenAPI document of 3.0 or 3.1. Throws `UnreadableDocument` for anything else. */
export function openApiDocument(document: JsonValue): JsonObject {
  if (!isJsonObject(document)) throw new UnreadableDocument('It is no object');
  const { openapi, swagger, paths } = document;
  if (swagger !== undefined) {
    throw new UnreadableDocument('It is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1 first');
  }
  if (typeof openapi !== 'string' || !/^3\.[01](\.\d+)?/.test(openapi)) {
    throw new UnreadableDocument('Its member "openapi" should be 3.0.x or 3.1.x');
  }
  if (!isJsonObject(paths)) throw new UnreadableDocument('It has no "paths"');
  return document;
}

/** Where the document breaks the rules of OpenAPI. Many do; what can be read is read all the same. */
export async function faultsOf(document: JsonObject): Promise<string[]> {
  const json = JSON.stringify(document);
  if (json.length > MAX_VALIDATED_LENGTH) return ['The document is too large to be held to the schema of OpenAPI.'];
  try {
    // The validator changes the document that it is given.
    const copy = JSON.parse(json) as Parameters<typeof validate>[0];
    const result = await validate(copy, { resolve: { external: false }, dereference: { circular: 'ignore' } });
    if (result.valid) return [];
    const [first] = result.errors.length === 0 ? [compileErrors(result)] : [];
    const messages = first === undefined ? result.errors.map(({ message }) => message) : [first];
    return messages.slice(0, MAX_FAULTS).map(shown);
  } catch (error) {
    return [shown((error as Error).message)];
  }
}

const colours = /\u001b\[[0-9;]*m/g;
const shown = (message: string): string =>
  message.replaceAll(colours, '').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_FAULT_LENGTH);
