import { isReservedHeader, type HttpBinding } from '@capability-router/contracts';
import { fail, ok, type JsonObject, type Result } from '@capability-router/kernel';
import type { Authorization } from '../credentials/authorizer.js';
import { MAX_URL_LENGTH } from '../egress/index.js';
import { placeParameters, type PlacedParameters } from './place-parameters.js';

/** A request without the credential, which is added when it is sent. */
export interface UnsignedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The binding itself is at fault: what a catalogue should not have let in. */
export class BindingError extends Error {
  override readonly name = 'BindingError';
}

const USER_AGENT = 'capability-router';

const templatePattern = /^(https?:\/\/[^/?#{}\\]+)([^?#]*)(\?[^#{}]*)?$/i;
const placeholderPattern = /\{([^{}]+)\}/g;
const dotSegmentPattern = /^(?:\.|%2e){1,2}$/i;

/** The request that a call is. The error is what the caller has to change. Throws `BindingError`. */
export function buildRequest(binding: HttpBinding, parameters: JsonObject): Result<UnsignedRequest, string> {
  const placed = placeParameters(binding, parameters);
  if (!placed.ok) return placed;
  const path = expandPath(binding, placed.value);
  if (!path.ok) return path;
  const url = new URL(path.value);
  for (const [name, value] of placed.value.query) url.searchParams.append(name, value);
  if (url.href.length > MAX_URL_LENGTH) {
    return fail(`the parameters make a URL of more than ${MAX_URL_LENGTH} characters; shorten them`);
  }
  const content = contentOf(placed.value);
  const headers = {
    accept: 'application/json, text/plain;q=0.5, */*;q=0.1',
    'user-agent': USER_AGENT,
    ...(content === undefined ? {} : { 'content-type': content.type }),
    ...lowerCased(binding.headers ?? {}),
    ...placed.value.headers,
  };
  for (const name of Object.keys(headers)) {
    if (isReservedHeader(name)) throw new BindingError(`the header "${name}" is not a binding's to set`);
  }
  return ok({ url, headers, ...(content === undefined ? {} : { body: content.body }) });
}

/** Puts the credential in. Its header wins over any other of that name. */
export function signRequest(request: UnsignedRequest, authorization: Authorization): UnsignedRequest {
  const url = new URL(request.url);
  for (const [name, value] of authorization.query) url.searchParams.set(name, value);
  return { ...request, url, headers: { ...request.headers, ...authorization.headers } };
}

/** Parameters go into path segments only, so none can change where a request is sent to. */
function expandPath({ url }: HttpBinding, { path }: PlacedParameters): Result<string, string> {
  const [, origin, template, query = ''] = templatePattern.exec(url) ?? [];
  if (origin === undefined || template === undefined) throw new BindingError(`"${url}" is no URL template`);
  let missing: string | undefined;
  const expanded = template.replace(placeholderPattern, (_match, name: string) => {
    const value = path.get(name);
    if (value === undefined) missing ??= name;
    return value ?? '';
  });
  if (missing !== undefined) return fail(`${missing}: needed, because it is part of the path`);
  const escapes = expanded.split('/').some((segment) => dotSegmentPattern.test(segment));
  if (escapes && !template.split('/').some((segment) => dotSegmentPattern.test(segment))) {
    return fail('a value that is part of the path must not be "." or ".."');
  }
  return ok(`${origin}${expanded}${query}`);
}

function contentOf({ whole, form, body }: PlacedParameters): { type: string; body: string } | undefined {
  if (whole !== undefined) return { type: 'application/json', body: JSON.stringify(whole) };
  if (form.length > 0) {
    const pairs = form.map(([name, value]): [string, string] => [name, value]);
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairs).toString() };
  }
  return Object.keys(body).length === 0 ? undefined : { type: 'application/json', body: JSON.stringify(body) };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
