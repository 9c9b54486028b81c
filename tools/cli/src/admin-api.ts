import { readFileSync } from 'node:fs';
import { CommandError, exitCodes, type Terminal } from './terminal.js';

/** Milliseconds; the gateway gives its services no longer. */
const REQUEST_TIMEOUT_MS = 60_000;
const KEY_PATTERN = /^[!-~]{10,4096}$/;

/** Options of every command. */
export interface GlobalOptions {
  readonly gateway?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}

export type Data = Readonly<Record<string, unknown>>;

/** The admin API of a gateway. Every method throws `CommandError`. */
export class AdminApi {
  private constructor(
    private readonly origin: string,
    private readonly key: string,
  ) {}

  static from(options: GlobalOptions, { env }: Terminal): AdminApi {
    const origin = options.gateway ?? env['CAPROUTER_GATEWAY_URL'] ?? '';
    if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol)) {
      throw new CommandError(exitCodes.usage, 'no gateway is named', [
        'Set CAPROUTER_GATEWAY_URL, or give --gateway, e.g. http://127.0.0.1:8080',
      ]);
    }
    const key = (options.keyFile === undefined ? env['CAPROUTER_API_KEY'] : readKey(options.keyFile))?.trim() ?? '';
    if (!KEY_PATTERN.test(key)) {
      throw new CommandError(exitCodes.usage, key === '' ? 'no API key is given' : 'what is given is no API key', [
        'Set CAPROUTER_API_KEY, or give --key-file; the key needs the scope "admin".',
      ]);
    }
    return new AdminApi(new URL(origin).origin, key);
  }

  /** `data` of the answer. */
  async request(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Data> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const { response, text } = await this.send(method, path, sent, { ...headers, ...type });
    const answer = objectIn(text);
    if (answer === undefined) throw this.noGateway(response.status);
    if (!response.ok) throw refusal(response.status, answer);
    return isObject(answer['data']) ? answer['data'] : {};
  }

  /** Sends rows of an import, and gives the lines of its report: the last is its summary, or says what went wrong. */
  async import(path: string, rows: Buffer, contentType: string): Promise<readonly Data[]> {
    const { text, response } = await this.send('POST', path, rows, { 'content-type': contentType });
    const lines = text.split('\n').filter(Boolean).map(objectIn);
    const known = lines.filter((line) => line !== undefined);
    if (response.ok && known.length === lines.length) return known;
    throw response.ok ? this.noGateway(response.status) : refusal(response.status, objectIn(text) ?? {});
  }

  /** The whole answer, as text. */
  private async send(
    method: string,
    path: string,
    body: Buffer | string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    try {
      const response = await fetch(new URL(`/admin/v1${path}`, this.origin), {
        method,
        redirect: 'error',
        headers: { ...headers, authorization: `Bearer ${this.key}` },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body === undefined ? {} : { body }),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw new CommandError(exitCodes.unreachable, `${this.origin} was not reached: ${causeOf(error)}`);
    }
  }

  private noGateway(status: number): CommandError {
    return new CommandError(exitCodes.unreachable, `${this.origin} answered ${status}, but not as a gateway`);
  }
}

function refusal(status: number, answer: Data): CommandError {
  const message = typeof answer['message'] === 'string' ? answer['message'] : 'the request was refused';
  const details = Array.isArray(answer['detail']) ? answer['detail'].filter(isObject) : [];
  const hints = details.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${String(msg)}`);
  if (status === 401) hints.push('The key is unknown, expired or revoked.');
  if (status === 403) hints.push('The key needs the scope "admin".');
  const failed = status >= 500 ? exitCodes.unreachable : exitCodes.failed;
  return new CommandError(failed, `${message} (${status})`, hints);
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(exitCodes.usage, `the key file cannot be read: ${causeOf(error)}`);
  }
}

/** `fetch` says no more than "fetch failed"; why is in its cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause instanceof Error) return causeOf(error.cause);
  const { code } = error as { code?: unknown };
  return error.message !== '' ? error.message : String(code);
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn(text: string): Data | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
