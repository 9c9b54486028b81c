import { setTimeout as sleep } from 'node:timers/promises';
import { adminKey } from '../support/environment.js';
import { API_VERSION, send, type CallOptions, type Reply } from '../support/http.js';
import { asArray, asObject, type JsonObject } from '../support/json.js';
import { Placeholders } from './placeholders.js';
import { printBody } from './print-body.js';

const MS_PER_SECOND = 1_000;
/** Milliseconds that an answer may need to become what is waited for: settlement and copies of the catalogue take hops. */
const WAIT_MS = 60_000;
/** Milliseconds for which an answer is asked for again that has not known in time what it may leave out. */
const MOMENT_MS = 2_000;
const FIRST_PAUSE_MS = 20;
const GROWTH = 1.3;
const MOST_PAUSE_MS = 500;
/** Characters of a request's body that the recording shows. */
const SHOWN_BODY_LENGTH = 1_500;

/** Headers that say nothing about the interface, or are checked by themselves. */
const unrecorded = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'x-service-api-version',
  'ratelimit',
  'ratelimit-policy',
]);

/** Whether the standard fields say of the window what `X-RateLimit-*` says, and nothing where that says nothing. */
function tellsTheWindow(headers: Headers): boolean {
  const limit = headers.get('x-ratelimit-limit');
  if (limit === null) return !headers.has('ratelimit') && !headers.has('ratelimit-policy');
  const [, name, left] = /^"([a-z_]+)";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
  const [, policy, room] = /^"([a-z_]+)";q=(\d+)(?:;w=\d+)?$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  return name !== undefined && name === policy && room === limit && left === headers.get('x-ratelimit-remaining');
}

/** Reads a minute: as they ship, and as tests raise them, because one administrator prepares them all. */
const readLimits = new Set(['600', '100000']);
/** Requests a minute without a credential, as tests raise them, and as they ship: all tests ask from one address. */
const anonymousLimits = new Map([['120000', '120']]);

export interface AskOptions extends CallOptions {
  /** Asks again until the answer is so; the last answer is recorded. Only for requests that may be repeated. */
  readonly until?: (reply: Reply) => boolean;
  /** A member that a 200 leaves out where it is not known in time: asked for again for a moment, and no difference where it is missing. */
  readonly inTime?: string;
  /** A list that the whole deployment shares: the recording has only those of `data.items` or `items` that are kept. */
  readonly only?: (item: JsonObject) => boolean;
  /** Members of `data` that the whole deployment shares: the recording has their names alone. */
  readonly hides?: readonly string[];
  /** Records the length of the body, where it is not that of what is shown. */
  readonly showLength?: boolean;
  /** The title of an earlier request whose answer this one repeats, byte for byte. */
  readonly repeats?: string;
  /** A 429 is the answer; others say that the request comes in a later window. */
  readonly isLimited?: boolean;
}

/** One request with its answer, as lines of the recording. */
export interface Exchange {
  readonly title: string;
  readonly lines: readonly string[];
  /** A member that was not known in time. */
  readonly lacks?: string;
}

/** Sends the requests of one slice, in order, and writes down what was answered. */
export class Transcript {
  readonly exchanges: Exchange[] = [];
  private readonly placeholders = new Placeholders();
  private readonly callers = new Map<string, string>([[adminKey, 'the administrator']]);
  private readonly texts = new Map<string, string>();
  /** Keys of which as many requests were sent as it took: what is left of their windows is no fact. */
  private readonly impatient = new Set([adminKey]);

  constructor() {
    this.placeholders.name('admin key', adminKey);
  }

  /** In the recording `<name>` stands for this text. */
  name(name: string, text: string): void {
    this.placeholders.name(name, text);
  }

  /** In the recording requests with this key are those of `who`. */
  caller(who: string, key: string): void {
    this.callers.set(key, who);
    this.placeholders.name(`key of ${who}`, key);
  }

  /** @param path the whole path, with its query where the order of it matters */
  async ask(title: string, method: string, path: string, options: AskOptions = {}): Promise<Reply> {
    if (this.texts.has(title)) throw new Error(`two requests of a slice have the title "${title}"`);
    const { until, inTime, only, showLength, repeats, isLimited, hides, ...sent } = options;
    const lacksIn = ({ status, text }: Reply): boolean =>
      inTime !== undefined && status === 200 && !text.includes(`"${inTime}"`);
    const momentMs = Date.now() + MOMENT_MS;
    const reply = await answered(
      () => send(method, path, sent),
      (latest) =>
        latest.status !== 503 && (until === undefined || until(latest)) && (!lacksIn(latest) || Date.now() > momentMs),
      isLimited === true,
    );
    this.texts.set(title, reply.text);
    if ((until ?? inTime) !== undefined && sent.key !== undefined) this.impatient.add(sent.key);
    const lines = [
      ...this.requestLines(method, path, sent),
      ...this.headLines(reply, {
        // Without a key the window is that of the address, which other tests share.
        countsDown: sent.key !== undefined && !this.impatient.has(sent.key),
        showLength: showLength === true,
      }),
      ...(repeats !== undefined && this.texts.get(repeats) === reply.text
        ? [`(the bytes of "${repeats}")`]
        : this.bodyLines(reply, only, hides)),
    ];
    this.exchanges.push({ title, lines, ...(lacksIn(reply) ? { lacks: inTime ?? '' } : {}) });
    return reply;
  }

  /** The text as it is in the recording. */
  shown(text: string): string {
    return this.placeholders.inText(text);
  }

  /** A request that only prepares an answer. */
  askUnrecorded(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    return send(method, path, options);
  }

  private requestLines(method: string, path: string, options: CallOptions): string[] {
    const query = Object.entries(options.query ?? {}).map(([name, value]) => `${name}=${String(value)}`);
    const whole = query.length === 0 ? path : `${path}?${query.join('&')}`;
    const { key } = options;
    const who = key === undefined ? [] : [`as ${this.callers.get(key) ?? this.placeholders.inText(key)}`];
    const headers = Object.entries(options.headers ?? {}).map(
      ([name, value]) => `${name}: ${name.startsWith('if-') ? this.placeholders.inEntityTag(value) : value}`,
    );
    const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const shown = body === undefined ? [] : this.shownBody(body);
    return [`${method} ${whole}`, ...who, ...headers]
      .map((line) => `> ${shorten(this.placeholders.inText(line))}`)
      .concat(shown.map((line) => `> ${line}`));
  }

  private shownBody(body: string): string[] {
    if (body.length > SHOWN_BODY_LENGTH) return [shorten(this.placeholders.inText(body))];
    return printBody(body, 'application/json', this.placeholders);
  }

  private headLines(reply: Reply, { countsDown, showLength }: { countsDown: boolean; showLength: boolean }): string[] {
    const { headers } = reply;
    const version = headers.get('x-service-api-version');
    // A request that waits for a settlement is repeated as often as it takes.
    const isRead = readLimits.has(headers.get('x-ratelimit-limit') ?? '');
    const shown = [...headers]
      .filter(([name]) => !unrecorded.has(name) || (showLength && name === 'content-length'))
      .map(([name, value]) => this.headerLine(name, value, countsDown && !isRead))
      .filter((line) => line !== undefined)
      .sort();
    const missing = [
      ...(headers.has('x-request-id') ? [] : ['< (no x-request-id)']),
      ...(tellsTheWindow(headers)
        ? []
        : [`< ratelimit: ${headers.get('ratelimit')}, ${headers.get('ratelimit-policy')}`]),
    ];
    const other = version === API_VERSION ? [] : [`< x-service-api-version: ${version ?? '(none)'}`];
    return [`< ${reply.status}`, ...shown, ...missing, ...other];
  }

  private headerLine(name: string, value: string, countsDown: boolean): string | undefined {
    // A request of ours has its own id in the recording.
    if (name === 'x-request-id' && !value.startsWith('corpus-')) return undefined;
    return `< ${name}: ${this.headerValue(name, value, countsDown)}`;
  }

  private headerValue(name: string, value: string, countsDown: boolean): string {
    if (name === 'x-ratelimit-reset') return /^\d{10}$/.test(value) ? '<epoch seconds>' : value;
    if (name === 'x-ratelimit-limit' && readLimits.has(value)) return '<limit of reads>';
    if (name === 'x-ratelimit-limit') return anonymousLimits.get(value) ?? value;
    if (name === 'x-ratelimit-remaining' && !countsDown) return '<number>';
    if (name === 'retry-after') return /^\d+$/.test(value) ? '<seconds>' : value;
    if (name === 'etag') return this.placeholders.inEntityTag(value);
    return this.placeholders.inText(value);
  }

  private bodyLines(reply: Reply, only: AskOptions['only'], hides: readonly string[] = []): string[] {
    const type = reply.headers.get('content-type') ?? '';
    const text = only === undefined && hides.length === 0 ? reply.text : keptOf(reply, only, hides);
    return printBody(text, type, this.placeholders);
  }
}

async function answered(
  ask: () => Promise<Reply>,
  until: (reply: Reply) => boolean,
  isLimited: boolean,
): Promise<Reply> {
  const deadlineMs = Date.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * GROWTH)) {
    let reply = await ask();
    if (reply.status === 429 && !isLimited) {
      // On a busy machine what is waited for takes more requests than a window has.
      await sleep(Number(reply.headers.get('retry-after')) * MS_PER_SECOND);
      reply = await ask();
    }
    if (holds(until, reply) || Date.now() > deadlineMs) return reply;
    await sleep(pauseMs);
  }
}

/** A condition that is waited for reads members that may not be there yet. */
function holds(until: (reply: Reply) => boolean, reply: Reply): boolean {
  try {
    return until(reply);
  } catch {
    return false;
  }
}

/** The body without what the rest of the deployment puts into it. */
function keptOf(reply: Reply, only: AskOptions['only'], hides: readonly string[]): string {
  const whole = reply.json;
  const shown = Object.entries('data' in whole ? asObject(whole['data'], 'data') : whole).flatMap(([name, value]) => {
    if (hides.includes(name)) return name === 'next_after' ? [] : [[name, '<of all>']];
    const isList = name === 'items' && only !== undefined;
    return [[name, isList ? asArray(value, name).filter((item) => only(asObject(item))) : value]];
  });
  const kept: unknown = Object.fromEntries(shown as [string, unknown][]);
  return JSON.stringify('data' in whole ? { ...whole, data: kept } : kept);
}

function shorten(line: string): string {
  return line.length <= SHOWN_BODY_LENGTH ? line : `${line.slice(0, 60)}… (${Buffer.byteLength(line)} bytes)`;
}
