import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  isJsonObject,
  newExecutionId,
  type AccountId,
  type Clock,
  type ExecutionId,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { KeptAnswer } from '../call/request/domain/key-claim.js';
import { ResultShaper } from '../result-shaping/result-shaper.js';
import { KeptResults } from '../result-shaping/store/kept-results.js';
import type { OpenResult } from '../result-shaping/store/result-store.js';
import { utf8Prefix } from '../result-shaping/utf8-prefix.js';

/** An answer as it was found in the database. */
export interface FoundAnswer {
  readonly accountId: AccountId;
  readonly executionId: ExecutionId;
  readonly body: JsonObject;
  readonly keptAs: ExecutionId | undefined;
  readonly keptAtMs: number;
}

export interface ReplayedAnswer {
  readonly body: JsonObject;
  /** Is the result in it as it was, and not what is left of it? */
  readonly whole: boolean;
}

interface KeepingConfig {
  readonly idempotency: {
    /** Bytes of an answer that the database keeps whole; a larger one goes to the result store. */
    readonly maxAnswerBytes: number;
    /** Milliseconds for which an answer is kept. */
    readonly keyLifetimeMs: number;
  };
  readonly resultStore: {
    /** Milliseconds for which a full result is kept. */
    readonly lifetimeMs: number;
  };
}

/** Milliseconds for reading an answer back; after that, it is what is left of it. */
const READ_TIMEOUT_MS = 10_000;
/** Bytes of a result that are left once the rest is gone. */
const PREVIEW_BYTES = 1_024;
/** Bytes; a larger schema goes with the result that it describes. */
const MAX_SCHEMA_BYTES = 8_192;
const link = 'full_content_file_url';

const linkGone =
  'The full content of this result is no longer kept. The call is not repeated under its key: ' +
  'call the tool again with another Idempotency-Key, or ask for less with respond_with=fields:….';
const resultGone =
  'This result was too large to be kept for as long as its Idempotency-Key, and only its beginning is left. ' +
  'The call is not repeated under its key: call the tool again with another one, or ask for less with respond_with=fields:….';

/** Keeps the first answer to a request with an idempotency key, and gives it again. */
@Injectable()
export class AnswerKeeper {
  constructor(
    @Inject(KeptResults) private readonly store: Pick<KeptResults, 'save' | 'open'>,
    @Inject(ResultShaper) private readonly shaper: Pick<ResultShaper, 'linkTo'>,
    @Inject(CONFIG) private readonly config: KeepingConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never fails: the tool has run. The store is waited for until `keepUntilMs` at most. */
  async keep(accountId: AccountId, answer: JsonObject, keepUntilMs: number): Promise<KeptAnswer> {
    const { maxAnswerBytes, keyLifetimeMs: lifetimeMs } = this.config.idempotency;
    const stored = withoutLink(answer);
    const whole = Buffer.from(JSON.stringify(stored));
    if (whole.length <= maxAnswerBytes) return { body: whole.toString('utf8'), lifetimeMs };
    const body = whatIsLeft(stored, maxAnswerBytes);
    // A file of its own: the one by the id of the execution is the full result behind the link.
    const keptAs = newExecutionId(this.clock.nowMs());
    await this.store.save({ accountId, executionId: keptAs }, whole, keepUntilMs).catch((err: unknown) => {
      this.logger.error(
        { err, executionId: answer['execution_id'] },
        'an answer could not be kept for its idempotency key',
      );
    });
    return { body, keptAs, lifetimeMs };
  }

  /** The answer with a link that works for as long as what is behind it is kept. */
  async replay(found: FoundAnswer): Promise<ReplayedAnswer> {
    const whole = found.keptAs === undefined ? found.body : await this.wholeOf(found.accountId, found.keptAs);
    const body = whole ?? found.body;
    return { body: this.withLink(body, found), whole: whole !== undefined || !isCut(body) };
  }

  private async wholeOf(accountId: AccountId, keptAs: ExecutionId): Promise<JsonObject | undefined> {
    try {
      const content = await this.store.open({ accountId, executionId: keptAs });
      if (content === undefined) return undefined;
      const value: unknown = JSON.parse(await text(await readInTime(content)));
      return isJsonObject(value) ? value : undefined;
    } catch (err) {
      this.logger.error({ err, keptAs }, 'an answer kept for its idempotency key could not be read');
      return undefined;
    }
  }

  private withLink(answer: JsonObject, { accountId, executionId, keptAtMs }: FoundAnswer): JsonObject {
    const result = answer['result'];
    if (!isJsonObject(result) || result[link] === undefined) return answer;
    const expiresAtMs = keptAtMs + this.config.resultStore.lifetimeMs;
    if (this.clock.nowMs() < expiresAtMs) {
      return { ...answer, result: { ...result, [link]: this.shaper.linkTo({ accountId, executionId }, expiresAtMs) } };
    }
    const { [link]: _gone, ...rest } = result;
    return { ...answer, result: { ...rest, message: linkGone } };
  }
}

async function readInTime(content: OpenResult): Promise<Readable> {
  return addAbortSignal(AbortSignal.timeout(READ_TIMEOUT_MS), await content.read());
}

const isCut = ({ result }: JsonObject): boolean => isJsonObject(result) && result['message'] === resultGone;

/** Links are signed when they are given out, and never stored: who reads the database reads no results with it. */
function withoutLink(answer: JsonObject): JsonObject {
  const result = answer['result'];
  if (!isJsonObject(result) || result[link] === undefined) return answer;
  return { ...answer, result: { ...result, [link]: '' } };
}

/** JSON of what the database keeps of an answer that is too large for it. */
function whatIsLeft(answer: JsonObject, maxBytes: number): string {
  let left = '';
  for (const shorter of shorterForms(answer)) {
    left = JSON.stringify(shorter);
    if (Buffer.byteLength(left) <= maxBytes) break;
  }
  return left;
}

/**
 * The routing of a query goes first, and then its parameters, which the caller has: the result is what was asked for. Where
 * it has to go, the others stay if there is room for them.
 */
function* shorterForms(answer: JsonObject): Generator<JsonObject> {
  const isQuery = isJsonObject(answer['routing']);
  if (isQuery) yield* [withoutDecision(answer), withoutParameters(answer)];
  const rest = withoutResult(answer);
  yield rest;
  if (isQuery) yield* [withoutDecision(rest), withoutParameters(rest)];
}

function withoutDecision(answer: JsonObject): JsonObject {
  if (!isJsonObject(answer['routing'])) return answer;
  const { candidates: _candidates, excluded: _excluded, ...routing } = answer['routing'];
  return { ...answer, routing };
}

function withoutParameters(answer: JsonObject): JsonObject {
  const { parameters: _parameters, ...rest } = withoutDecision(answer);
  return rest;
}

function withoutResult(answer: JsonObject): JsonObject {
  const result = isJsonObject(answer['result']) ? answer['result'] : {};
  const { status_code: status, respond_with: respondWith, data, truncated_content: truncated } = result;
  const schema = result['content_schema'];
  const content = typeof truncated === 'string' ? truncated : JSON.stringify(data ?? result);
  const left: Record<string, JsonValue | undefined> = {
    status_code: status,
    respond_with: respondWith,
    message: resultGone,
    truncated_content: utf8Prefix(Buffer.from(content), PREVIEW_BYTES),
    content_schema: Buffer.byteLength(JSON.stringify(schema ?? null)) <= MAX_SCHEMA_BYTES ? schema : undefined,
  };
  const kept = Object.entries(left).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { ...answer, result: Object.fromEntries(kept) };
}
