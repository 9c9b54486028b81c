import type { HttpMethod, ToolManifest } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { asText, cleanLine, cleanText } from '../../domain/clean-text.js';
import { Documents, ReferenceFault, type Located } from '../../domain/documents.js';
import {
  NotImportable,
  type Conversion,
  type ImportChoices,
  type ImportedTool,
  type SkippedTool,
} from '../../domain/imported.js';
import { isChosen } from '../../domain/matches-glob.js';
import { sampleParameters } from '../../domain/sample-parameters.js';
import { isTooLarge, schemaDepths, tooLargeMessage, truncatedNote } from '../../domain/schema/schema-bounds.js';
import { SchemaConverter } from '../../domain/schema/schema-converter.js';
import { resourceAndAction, resourceAndActionOfPath, ToolIds } from '../../domain/tool-ids.js';
import { ParameterSet } from './parameter-set.js';
import { readAnswer } from './read-answer.js';
import { readBody } from './read-body.js';
import { readParameters } from './read-parameters.js';
import { readSecurity } from './read-security.js';
import { serverUrl, withoutEnd } from './read-servers.js';

export interface OpenApiChoices extends ImportChoices {
  /** Instead of what the document says. */
  readonly serverUrl?: string;
  readonly maxOperations: number;
}

/** More operations than one import takes. */
export class TooManyOperations extends Error {
  override readonly name = 'TooManyOperations';
}

const methods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 4_000;
const MAX_PATH_LENGTH = 1_000;

interface Operation {
  readonly key: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly operation: JsonObject;
  readonly item: JsonObject;
  readonly base: string;
}

/** The operations of an OpenAPI document of 3.0 or 3.1 as tools, with those that cannot be one and why. */
export function toTools(documents: Documents, choices: OpenApiChoices): Conversion {
  const root = isJsonObject(documents.root) ? documents.root : {};
  const skipped: SkippedTool[] = [];
  const operations = operationsOf(documents, root, choices, skipped);
  if (operations.length > choices.maxOperations) {
    throw new TooManyOperations(
      `The document has ${operations.length} operations, and an import takes ${choices.maxOperations}. Choose some by "include".`,
    );
  }
  const ids = new ToolIds(choices.providerId, choices.knownIds);
  const tools: ImportedTool[] = [];
  for (const operation of operations) {
    try {
      tools.push(toTool(documents, root, operation, ids, choices));
    } catch (error) {
      if (!(error instanceof NotImportable) && !(error instanceof ReferenceFault)) throw error;
      skipped.push({
        key: operation.key,
        reason: error instanceof ReferenceFault ? `${error.message}.` : error.message,
      });
    }
  }
  return { tools, skipped };
}

function operationsOf(
  documents: Documents,
  root: JsonObject,
  choices: OpenApiChoices,
  skipped: SkippedTool[],
): Operation[] {
  const paths = isJsonObject(root['paths']) ? root['paths'] : {};
  return Object.entries(paths).flatMap(([path, entry]): Operation[] => {
    if (!path.startsWith('/') || path.length > MAX_PATH_LENGTH) return [];
    let found: { value: JsonObject; base: string };
    try {
      found = documents.object({ value: entry, base: documents.rootBase });
    } catch (error) {
      skipped.push({ key: path, reason: `${(error as Error).message}.` });
      return [];
    }
    const { value: item, base } = found;
    return methods.flatMap((method): Operation[] => {
      const operation = item[method.toLowerCase()];
      if (!isJsonObject(operation)) return [];
      const key = `${method} ${path}`;
      const tags = Array.isArray(operation['tags']) ? operation['tags'].map((tag) => `tag:${asText(tag)}`) : [];
      const { operationId } = operation;
      const subjects = [key, ...(typeof operationId === 'string' ? [operationId] : []), ...tags];
      if (!isChosen(choices, subjects)) return [];
      if (operation['deprecated'] === true && choices.include === undefined) {
        skipped.push({ key, reason: 'It is deprecated. Name it by "include" to have it all the same.' });
        return [];
      }
      return [{ key, method, path, operation, item, base }];
    });
  });
}

function toTool(
  documents: Documents,
  root: JsonObject,
  at: Operation,
  ids: ToolIds,
  choices: OpenApiChoices,
): ImportedTool {
  const { key, method, path, operation } = at;
  const answer = readAnswer(documents, operation['responses'], at.base);
  const auth = choices.auth ?? readSecurity(documents, operation['security'] ?? root['security']);
  const levels = [operation['servers'], at.item['servers'], root['servers']];
  const server =
    choices.serverUrl === undefined ? serverUrl(levels, documents.rootBase) : withoutEnd(choices.serverUrl);
  const { schema, parameters, headers, notes } = describeParameters(documents, root, at);
  const { operationId } = operation;
  const named =
    typeof operationId === 'string' ? resourceAndAction(operationId.slice(0, MAX_NAME_LENGTH), 'api') : undefined;
  const meaning = named ?? resourceAndActionOfPath(method, path, 'api');
  const summary = cleanLine(operation['summary'], MAX_NAME_LENGTH);
  const docsUrl = docsUrlOf(operation['externalDocs']);
  const tool: ToolManifest = {
    toolId: ids.idOf(key, meaning),
    providerId: choices.providerId,
    name: {
      en: summary ?? cleanLine(`${meaning.action} ${meaning.resource}`.replaceAll('_', ' '), MAX_NAME_LENGTH) ?? key,
    },
    description: { en: descriptionOf(operation, at.item, summary, answer, key) },
    categories: choices.categories,
    capabilities: [],
    parametersSchema: schema,
    oneOfRequired: [],
    sampleParameters: sampleParameters(schema, parameters.examples),
    price: choices.price,
    binding: { kind: 'http', method, url: `${server}${path}`, placements: parameters.placements, ...headers, auth },
    timeoutMs: choices.timeoutMs,
    asOfSupport: false,
    ...(docsUrl === undefined ? {} : { docsUrl }),
  };
  return { key, tool, notes };
}

interface DescribedParameters {
  readonly schema: JsonObject;
  readonly parameters: ParameterSet;
  readonly headers: { readonly headers?: Readonly<Record<string, string>> };
  readonly notes: readonly string[];
}

/** Schemas as deep as there is room for. */
function describeParameters(documents: Documents, root: JsonObject, at: Operation): DescribedParameters {
  const openApi30 = asText(root['openapi']).startsWith('3.0');
  for (const depth of schemaDepths) {
    const notes: string[] = [];
    const parameters = new ParameterSet();
    const schemas = new SchemaConverter(documents, { openApi30, dropReadOnly: true, ...depth });
    const parts = { documents, schemas, parameters, note: (sentence: string) => notes.push(sentence) };
    readParameters(parts, at.path, [
      ...located(at.item['parameters'], at.base),
      ...located(at.operation['parameters'], at.base),
    ]);
    const body = at.operation['requestBody'];
    const { contentType } = body === undefined ? {} : readBody(parts, at.method, { value: body, base: at.base });
    const schema = { ...parameters.schema(), ...schemas.finish() };
    if (isTooLarge(schema, schemas.size)) continue;
    if (schemas.truncated) notes.push(truncatedNote);
    return {
      schema,
      parameters,
      notes,
      headers: contentType === undefined ? {} : { headers: { 'content-type': contentType } },
    };
  }
  throw new NotImportable(tooLargeMessage);
}

const located = (values: JsonValue | undefined, base: string): Located[] =>
  Array.isArray(values) ? values.map((value) => ({ value, base })) : [];

function descriptionOf(
  operation: JsonObject,
  item: JsonObject,
  summary: string | undefined,
  answer: string | undefined,
  key: string,
): string {
  const said = operation['description'] ?? item['description'] ?? item['summary'];
  const text = cleanText(said, MAX_DESCRIPTION_LENGTH) ?? summary ?? key;
  // "OK" says nothing that agents could choose by.
  return answer === undefined || answer.length < 10 ? text : `${text}\n\nReturns: ${answer}`;
}

function docsUrlOf(docs: JsonValue | undefined): string | undefined {
  const url = isJsonObject(docs) ? docs['url'] : undefined;
  if (typeof url !== 'string' || url.length > 2_000 || !URL.canParse(url)) return undefined;
  const { protocol, username, password, hash } = new URL(url);
  return ['http:', 'https:'].includes(protocol) && username + password + hash === '' ? url : undefined;
}
