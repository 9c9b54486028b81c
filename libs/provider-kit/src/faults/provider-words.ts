import { isJsonObject, type JsonValue } from '@capability-router/kernel';

/** Members in which providers put what went wrong, most telling first (RFC 9457 among them). */
const telling = ['message', 'error_description', 'detail', 'error', 'title', 'reason', 'errors'] as const;
const MAX_DEPTH = 3;
/** Characters of a text that is looked at. */
const MAX_TEXT_LENGTH = 1_000;

/** Reads what a provider says about its error, in one line; empty where it says nothing fit to pass on. */
export function providerWords(body: string, contentType: string | undefined): string {
  const text = contentType?.includes('json') === true ? fromJson(body) : plainText(body, contentType);
  return oneLine(text);
}

/** Untrusted text without line breaks, control characters and the like. */
export function oneLine(text: string): string {
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

function plainText(body: string, contentType: string | undefined): string {
  return contentType?.startsWith('text/plain') === true ? body : '';
}

function fromJson(body: string): string {
  try {
    return wordsIn(JSON.parse(body) as JsonValue, 0);
  } catch {
    return '';
  }
}

function wordsIn(value: JsonValue | undefined, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth >= MAX_DEPTH) return '';
  if (Array.isArray(value)) return wordsIn(value[0], depth + 1);
  if (value === undefined || !isJsonObject(value)) return '';
  for (const name of telling) {
    const words = wordsIn(value[name], depth + 1);
    if (words !== '') return words;
  }
  return '';
}
