import { PathTemplates, type RecordedExchange } from '@capability-router/contracts/answers';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { fillPlaceholders } from './fill-placeholders.js';
import { handExamples } from './hand-examples.js';

/** Recordings that show less than was answered. */
export const shortened: ReadonlySet<string> = new Set([
  'oauth.txt: the keys of tokens',
  'security-log.txt: the own log',
  'admin-credentials.txt: they are in the list',
  'admin-credentials.txt: they are sealed anew',
]);

/** Characters of an answer that people read. */
const MAX_EXAMPLE_LENGTH = 5_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const at = (value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined =>
  names.reduce((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

/** A name is what is left between angle brackets after the forms that schemas ask for. */
const named = (text: string): string =>
  fillPlaceholders(text).replaceAll(/<([^<>"\n]+)>/g, (_whole, name: string) => name.replaceAll(' ', '-'));

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(named(text)) as JsonValue;
  } catch {
    // It is shown as the bytes of another answer, or no JSON.
    return undefined;
  }
}

/** The first success of the slice that asks for the operation most: that of its own subject, which begins with what is usual. */
function exampleOf(exchanges: readonly RecordedExchange[], success: string): RecordedExchange | undefined {
  const found = exchanges.filter(
    (one) =>
      String(one.status) === success &&
      one.contentType === JSON_TYPE &&
      !shortened.has(one.title) &&
      !one.body.includes('<of all>') &&
      parsed(one.body) !== undefined,
  );
  const sliceOf = ({ title }: RecordedExchange): string => title.split(':', 1)[0] ?? '';
  const lengthOf = (slice: string): number => found.filter((one) => sliceOf(one) === slice).length;
  const [most] = [...new Set(found.map(sliceOf))].sort((one, other) => lengthOf(other) - lengthOf(one));
  const own = found.filter((one) => sliceOf(one) === most);
  return own.find(isReadable) ?? found.find(isReadable) ?? found[0];
}

const isReadable = ({ request, body }: RecordedExchange): boolean =>
  body.length <= MAX_EXAMPLE_LENGTH && !body.includes('"items": []') && !request.includes('unknown_member');

/** By method and path of the operation that was asked. */
function exchangesOf(paths: JsonObject, prefix: string): (name: string) => readonly RecordedExchange[] {
  const names = Object.entries(paths).flatMap(([template, methods]) =>
    Object.keys(isJsonObject(methods) ? methods : {}).map((method) => nameOf(method, `${prefix}${template}`)),
  );
  const templates = new PathTemplates(names);
  const byName = new Map<string, RecordedExchange[]>();
  for (const exchange of recordedExchanges()) {
    const [name = ''] = templates.fitting(nameOf(exchange.method, exchange.path));
    byName.set(name, [...(byName.get(name) ?? []), exchange]);
  }
  return (name) => byName.get(name) ?? [];
}

const nameOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/** The document with an example for each operation that answers JSON: what acceptance asks for and is answered. */
export function withExamples(document: JsonObject, prefix: string): JsonObject {
  const paths = isJsonObject(document['paths']) ? document['paths'] : {};
  const exchanges = exchangesOf(paths, prefix);
  const shown = Object.entries(paths).map(([template, methods]) => [
    template,
    Object.fromEntries(
      Object.entries(isJsonObject(methods) ? methods : {}).map(([method, operation]) => [
        method,
        isJsonObject(operation) ? withExample(operation, exchanges(nameOf(method, `${prefix}${template}`))) : operation,
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(shown) as JsonObject };
}

function withExample(operation: JsonObject, exchanges: readonly RecordedExchange[]): JsonObject {
  const responses = isJsonObject(operation['responses']) ? operation['responses'] : {};
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const { operationId: id } = operation;
  const byHand = typeof id === 'string' ? handExamples[id] : undefined;
  const exchange = exampleOf(exchanges, success);
  const answer = byHand?.answer ?? (exchange === undefined ? undefined : parsed(exchange.body));
  const request = byHand?.request ?? (exchange === undefined ? undefined : requestOf(operation, exchange.request));
  const { requestBody: body } = operation;
  return {
    ...operation,
    ...(body === undefined || request === undefined ? {} : { requestBody: shown(body, request) }),
    responses: answer === undefined ? responses : { ...responses, [success]: shown(at(responses, success), answer) },
  };
}

function requestOf(operation: JsonObject, text: string): JsonValue | undefined {
  const isForm = at(operation['requestBody'], 'content', FORM_TYPE) !== undefined;
  return isForm ? Object.fromEntries(new URLSearchParams(named(text))) : parsed(text);
}

/** Beside the first of the content types. */
function shown(part: JsonValue | undefined, example: JsonValue): JsonObject {
  const content = at(part, 'content');
  const [[type, media] = [], ...others] = Object.entries(isJsonObject(content) ? content : {});
  if (type === undefined || !isJsonObject(part)) throw new Error('an example has no content to stand beside');
  const first = { ...(isJsonObject(media) ? media : {}), example };
  return { ...part, content: { [type]: first, ...Object.fromEntries(others) } };
}
