import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import type { Located } from '../../domain/documents.js';
import { NotImportable } from '../../domain/imported.js';
import { flattenObject, type FlatObject } from '../../domain/schema/flatten-object.js';
import { convertAll, exampleOf, type OperationParts } from './read-parameters.js';

const FORM = 'application/x-www-form-urlencoded';

/** Without parameters such as `charset`. */
const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();
export const isJsonType = (type: string): boolean => /^(application|text)\/([^/]+\+)?json$/.test(essence(type));

interface Media {
  readonly type: string;
  readonly value: JsonObject;
  readonly base: string;
}

/**
 * Each property of a JSON object or a form becomes a parameter; any other JSON body is the parameter `body`. Gives the
 * content type to send where it is not the usual one. Throws `NotImportable`, `ReferenceFault`.
 */
export function readBody(parts: OperationParts, method: string, body: Located): { contentType?: string } {
  const { value, base } = parts.documents.object(body);
  const required = value['required'] === true;
  const media = mediaOf(parts, value['content'], base);
  const problem =
    media === undefined
      ? 'its body is neither JSON nor a form'
      : method === 'GET' || method === 'DELETE'
        ? `it has a body, and ${method} requests are sent without one`
        : undefined;
  if (media === undefined || problem !== undefined) {
    if (required) throw new NotImportable(`It cannot be called: ${problem}.`);
    parts.note(`Its body is left out: ${problem}.`);
    return {};
  }
  const schema = { value: media.value['schema'] ?? {}, base: media.base };
  const example = exampleOf(parts.documents, media.value, media.base);
  const flat = flattenObject(parts.documents, schema);
  const isForm = essence(media.type) === FORM;
  if (flat !== undefined) {
    addProperties(parts, flat, { required, example, where: isForm ? 'form' : 'body' });
  } else if (isForm) {
    throw new NotImportable('Its form is not described by its fields.');
  } else {
    parts.parameters.add({
      name: 'body',
      placement: { in: 'body', whole: true },
      schema: parts.schemas.convert(schema),
      required,
      description: value['description'],
      example,
    });
  }
  return isForm || essence(media.type) === 'application/json' ? {} : { contentType: essence(media.type) };
}

/** Plain JSON before other kinds of JSON before a form. */
function mediaOf(parts: OperationParts, content: JsonValue | undefined, base: string): Media | undefined {
  const types = isJsonObject(content) ? Object.entries(content) : [];
  const rank = (type: string): number =>
    essence(type) === 'application/json'
      ? 0
      : isJsonType(type)
        ? 1
        : type === '*/*'
          ? 2
          : essence(type) === FORM
            ? 3
            : 4;
  const [best] = types.filter(([type]) => rank(type) < 4).sort(([a], [b]) => rank(a) - rank(b));
  if (best === undefined) return undefined;
  const [type, media] = best;
  return { type: type === '*/*' ? 'application/json' : type, ...parts.documents.object({ value: media, base }) };
}

function addProperties(
  parts: OperationParts,
  { properties, required: needed }: FlatObject,
  body: { required: boolean; example: JsonValue | undefined; where: 'body' | 'form' },
): void {
  const names: string[] = [];
  const neededNames: string[] = [];
  for (const [name, schemas] of properties) {
    const isNeeded = needed.has(name);
    const example = isJsonObject(body.example) && Object.hasOwn(body.example, name) ? body.example[name] : undefined;
    if (name.length > 200 || !/^\P{Cc}*\S\P{Cc}*$/u.test(name)) {
      if (isNeeded && body.required)
        throw new NotImportable('Its body needs a member whose name cannot be a parameter.');
      continue;
    }
    const given = parts.parameters.add({
      name,
      placement: { in: body.where },
      schema: convertAll(parts.schemas, schemas),
      required: body.required && isNeeded,
      example,
    });
    names.push(given);
    if (isNeeded) neededNames.push(given);
  }
  // A body that may be left out is whole where it is sent.
  if (!body.required) parts.parameters.requireTogether(names, neededNames);
}
