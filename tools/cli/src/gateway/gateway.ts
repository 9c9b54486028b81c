import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Client } from '@capability-router/client';
import { sends } from '../interruption.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { readSavedLogin } from './saved-login.js';

/** Milliseconds; the gateway gives its services no longer, and a tool at most 100 s. */
const REQUEST_TIMEOUT_MS = 110_000;
/** Somebody waits at a terminal: whoever is told to come back later than this is told so. */
const RETRY = { maxRetries: 3, maxWaitMs: 5_000, maxTotalMs: 15_000 };
const KEY_PATTERN = /^[!-~]{10,4096}$/;
const BASE_PATH = '/api/v1';
/** They are sent by POST, and change nothing. */
const READS_BY_POST = /\/(search|tools\/by-ids|tools\/probe)(\?|$)/;

/** Options of every command. */
export interface GlobalOptions {
  readonly gateway?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}

export interface GatewayOptions extends GlobalOptions {
  /** A key that the gateway is known to have, for whoever gives none. */
  readonly otherwiseKey?: string;
}

/** A key, and where it came from in the words of a message. */
export interface GivenKey {
  readonly key: string;
  readonly source: string;
}

export type Data = Readonly<Record<string, unknown>>;

/** An answer that is read as it comes. */
export interface Opened {
  readonly response: Response;
  /** Throws `CommandError` where the answer breaks off. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface Sent {
  readonly response: Response;
  /** The whole body. */
  readonly text: string;
}

/** One gateway, and the key that it is asked with. Every method throws `CommandError`. */
export class Gateway {
  private constructor(
    /** Its address without the path of an API; a path of its own stays. */
    readonly url: string,
    private readonly key: string,
    /** Where the key came from, e.g. "CAPROUTER_API_KEY". */
    readonly keySource: string,
    /** Told before something is sent that changes something. */
    private readonly changes: () => void,
  ) {}

  /**
   * From the options, else the environment, else what `caprouter login` has kept. A kept key goes to the gateway that it was kept for, and
   * to no other. `scope`: what the key needs, where the command needs a certain one.
   */
  static from(options: GatewayOptions, terminal: Terminal, scope?: string): Gateway {
    const { env } = terminal;
    const saved = readSavedLogin(env);
    const url = gatewayUrl(options.gateway ?? environmentOf(env).url ?? saved?.gateway ?? '');
    const kept =
      saved?.gateway === url
        ? { key: saved.apiKey, source: 'what "caprouter login" has kept' }
        : { key: options.otherwiseKey ?? '', source: 'the data folder' };
    const given = keyIn(options, env) ?? kept;
    return new Gateway(url, checkedKey(given.key, scope), given.source, () => sends(terminal));
  }

  /** @throws CommandError where either cannot be one */
  static of(url: string, { key, source }: GivenKey): Gateway {
    return new Gateway(gatewayUrl(url), checkedKey(key), source, () => undefined);
  }

  /** The client of the public interface. It is loaded where a command sends with it, so that no start pays for it. */
  async router(): Promise<Client> {
    const { createClient } = await import('@capability-router/client');
    return createClient({
      baseUrl: this.url,
      apiKey: this.key,
      timeoutMs: REQUEST_TIMEOUT_MS,
      retry: RETRY,
      fetch: (url, init) => {
        if (init.method !== 'GET' && !READS_BY_POST.test(url)) this.changes();
        return fetch(url, init);
      },
    });
  }

  /** `path` begins below the gateway's address. */
  async send(
    method: string,
    path: string,
    body?: Buffer | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Sent> {
    if (method !== 'GET') this.changes();
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        redirect: 'error',
        headers: { ...headers, authorization: `Bearer ${this.key}` },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body === undefined ? {} : { body }),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw this.notReached(error);
    }
  }

  /** As `send`, for bodies that may be long: neither is held in memory, and only silence has a limit. */
  async open(
    method: string,
    path: string,
    body?: AsyncIterable<Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Opened> {
    if (method !== 'GET') this.changes();
    const silence = new AbortController();
    const timer = setTimeout(
      () => silence.abort(new Error(`nothing came for ${REQUEST_TIMEOUT_MS / 1_000} s`)),
      REQUEST_TIMEOUT_MS,
    );
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        redirect: 'error',
        headers: { ...headers, authorization: `Bearer ${this.key}` },
        signal: silence.signal,
        ...(body === undefined ? {} : { body: Readable.toWeb(Readable.from(heard(body, timer))), duplex: 'half' }),
      });
      return { response, chunks: this.chunksOf(response, timer) };
    } catch (error) {
      clearTimeout(timer);
      throw ownFault(error) ?? this.notReached(error);
    }
  }

  private async *chunksOf({ body }: Response, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
    try {
      if (body !== null) yield* heard(body, timer);
    } catch (error) {
      const brokeOff = `the answer of ${this.url} broke off: ${causeOf(error)}`;
      throw ownFault(error) ?? new CommandError(exitCodes.unreachable, brokeOff);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends and reads JSON. */
  async exchange(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly response: Response; readonly answer: Data }> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const { response, text } = await this.send(method, path, sent, { ...headers, ...type });
    const answer = objectIn(text);
    if (answer === undefined) throw this.noGateway(response.status);
    return { response, answer };
  }

  notReached(cause: unknown): CommandError {
    return new CommandError(exitCodes.unreachable, `${this.url} was not reached: ${causeOf(cause)}`);
  }

  noGateway(status = 200): CommandError {
    return new CommandError(exitCodes.unreachable, `${this.url} answered ${status}, but not as a gateway`);
  }
}

/** The error of whoever gives the chunks of a body, where that is why a request ended. */
function ownFault(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  return error instanceof Error && error.cause instanceof CommandError ? error.cause : undefined;
}

/** The same chunks; each of them begins the wait anew. */
async function* heard(chunks: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    timer.refresh();
    yield chunk;
  }
}

/** The variables of commands that ask a gateway; an empty one counts as absent. */
export function environmentOf(env: NodeJS.ProcessEnv): { readonly url?: string; readonly key?: GivenKey } {
  const [url = '', key = ''] = [env['CAPROUTER_GATEWAY_URL'], env['CAPROUTER_API_KEY']];
  return {
    ...(url.trim() === '' ? {} : { url }),
    ...(key.trim() === '' ? {} : { key: { key, source: 'CAPROUTER_API_KEY' } }),
  };
}

/** The key that a command was given, by a file or by the environment. */
function keyIn({ keyFile }: GlobalOptions, env: NodeJS.ProcessEnv): GivenKey | undefined {
  return keyFile === undefined ? environmentOf(env).key : { key: readKey(keyFile), source: `the file ${keyFile}` };
}

/** Takes a base URL as well as what stands before it. */
function gatewayUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new CommandError(exitCodes.usage, 'no gateway is named', [
      'Run "caprouter login", set CAPROUTER_GATEWAY_URL, or give --gateway, e.g. http://127.0.0.1:8080',
    ]);
  }
  const { origin, pathname } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return `${origin}${path.endsWith(BASE_PATH) ? path.slice(0, -BASE_PATH.length) : path}`;
}

function checkedKey(given: string, scope?: string): string {
  const key = given.trim();
  if (KEY_PATTERN.test(key)) return key;
  const needs = scope === undefined ? '' : `; the key needs the scope "${scope}"`;
  throw new CommandError(exitCodes.usage, key === '' ? 'no API key is given' : 'what is given is no API key', [
    `Run "caprouter login", set CAPROUTER_API_KEY, or give --key-file${needs}.`,
  ]);
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(exitCodes.usage, `the key file cannot be read: ${causeOf(error)}`);
  }
}

/** `fetch` says no more than "fetch failed"; why is in its cause. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause instanceof Error) return causeOf(error.cause);
  const { code } = error as { code?: unknown };
  return error.message !== '' ? error.message : String(code);
}

export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function objectIn(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
