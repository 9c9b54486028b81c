import { expect } from '@jest/globals';
import { adminShapeOf, shapeOf } from '@capability-router/contracts/answers';
import { nextOrigin } from './environment.js';
import { expectDocumented, type DocumentedPrefix } from './documented.js';
import { expectAnswer } from './expect-answer.js';
import { asObject, type JsonObject } from './json.js';

export const API_VERSION = '2026-09-12.1';

export interface CallOptions {
  readonly key?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; fails the test when it is no JSON object. */
  readonly json: JsonObject;
}

/** A request to a path under `/api/v1`, checked against the rules that hold for every answer there. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const reply = await send(method, `/api/v1${path}`, options);
  expectWireRules(reply);
  return reply;
}

/** A request to any path of the origin; of its answer only the shape is checked, where the path is of the API. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const url = new URL(path, nextOrigin());
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  // A table of cases is made before anything that its tests prepare: a text made of that has this word.
  if (`${url.href} ${body ?? ''}`.includes('undefined'))
    throw new Error(`sends "undefined": ${url.href} ${body ?? ''}`);
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/json' });
  if (options.key !== undefined) headers.set('authorization', `Bearer ${options.key}`);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
  const reply = toReply(response.status, response.headers, await response.text());
  const prefix = documentedPrefixes.find((of) => url.pathname.startsWith(`${of}/`));
  if (prefix === undefined) return reply;
  const ending = url.pathname.slice(prefix.length);
  await expectDocumented(prefix, method, ending, reply.status);
  if (isPublicJson(url.pathname, reply)) {
    const shape =
      prefix === '/admin/v1'
        ? adminShapeOf(method, ending, reply.status)
        : shapeOf(method, ending, reply.status, reply.json);
    expectAnswer(shape, ending, reply.json);
  }
  return reply;
}

const documentedPrefixes: readonly DocumentedPrefix[] = ['/api/v1', '/admin/v1'];

/** The content of a result is its tool's. */
function isPublicJson(path: string, { headers, text }: Reply): boolean {
  const isOfTool = path.startsWith('/api/v1/results/');
  return !isOfTool && text !== '' && headers.get('content-type')?.startsWith('application/json') === true;
}

export function toReply(status: number, headers: Headers, text: string): Reply {
  return {
    status,
    headers,
    text,
    get json(): JsonObject {
      return asObject(JSON.parse(text), 'response body');
    },
  };
}

/** Version and request id on every answer, never a redirect, and a `message` in every error. */
export function expectWireRules(reply: Reply): void {
  expect(reply.headers.get('x-service-api-version')).toBe(API_VERSION);
  expect(reply.headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,200}$/);
  expect(Math.floor(reply.status / 100)).not.toBe(3);
  if (reply.status >= 400) {
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    const { message, error_message: errorMessage } = reply.json;
    expect(message ?? errorMessage).toEqual(expect.stringMatching(/\S/));
    // A stack trace or a database's words are no answer.
    expect(reply.text).not.toMatch(/node_modules|\n\s+at |SELECT |INSERT |dist\//);
  }
}
