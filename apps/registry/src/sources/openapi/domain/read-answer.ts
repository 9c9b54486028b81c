import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { cleanLine } from '../../domain/clean-text.js';
import type { Documents } from '../../domain/documents.js';
import { NotImportable } from '../../domain/imported.js';

const MAX_DESCRIPTION_LENGTH = 300;

const isReadable = (type: string): boolean =>
  /json|xml/i.test(type) || type === '*/*' || (/^text\//i.test(type) && !/^text\/html/i.test(type));

/** The line that says what a success returns. Throws `NotImportable` where it is nothing that can be a result. */
export function readAnswer(documents: Documents, responses: JsonValue | undefined, base: string): string | undefined {
  const successes = Object.entries(isJsonObject(responses) ? responses : {})
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .map(([, response]) => documents.object({ value: response, base }).value);
  const types = successes.map(({ content }) => (isJsonObject(content) ? Object.keys(content) : []));
  const described = types.filter((names) => names.length > 0);
  if (described.length > 0 && described.length === types.length && !described.flat().some(isReadable)) {
    throw new NotImportable(`It answers ${described.flat()[0]?.slice(0, 100)}, which cannot be a result.`);
  }
  return successes
    .map(({ description }) => cleanLine(description, MAX_DESCRIPTION_LENGTH))
    .find((text) => text !== undefined);
}
