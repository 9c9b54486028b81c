import type { Clock, JsonObject, JsonValue } from '@capability-router/kernel';
import { API_PREFIX, type ToolContract } from '@capability-router/contracts';
import type { JsonPathPool } from '@capability-router/provider-kit';
import type { Logger } from 'pino';
import { signResultToken } from './serving/result-link.js';
import { shapeResult, type ShapeInput } from './shape-result.js';
import type { KeptResults } from './store/kept-results.js';
import type { ResultKey } from './store/result-store.js';
import { NotKept } from './store/write-bounds.js';

export interface ResultShaperOptions {
  readonly store: Pick<KeptResults, 'save'>;
  /** Evaluates the expressions of `respond_with`, which callers write. */
  readonly jsonPaths: JsonPathPool;
  readonly linkKey: Buffer;
  readonly linkLifetimeMs: number;
  /** Origin of the links. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MS_PER_MINUTE = 60_000;

/** A result to be shaped. */
export interface ToShape {
  readonly key: ResultKey;
  /** How much of it the caller wants, and of what. */
  readonly request: Pick<ShapeInput, 'maxResponseBytes' | 'projection'>;
  readonly tool: ToolContract;
  readonly data: JsonValue;
  /** `data` as JSON. */
  readonly serialized: Buffer;
  /** The store is waited for no longer than until then. */
  readonly keepUntilMs: number;
}

/** Shapes `result` as the caller asked for it, and keeps what does not fit behind a signed link. */
export class ResultShaper {
  constructor(private readonly options: ResultShaperOptions) {}

  shape({ key, request, tool, data, serialized, keepUntilMs }: ToShape): Promise<JsonObject> {
    const { metering } = tool.price;
    const rowsPath = metering.kind === 'result_rows' ? metering.path : undefined;
    const { maxResponseBytes, projection } = request;
    return shapeResult(
      { data, serialized, maxResponseBytes, projection, rowsPath },
      {
        projectFields: (text, { fields }) => this.options.jsonPaths.select(text, fields, key.accountId),
        keep: (content) => this.keep(key, content, keepUntilMs),
        linkMinutes: Math.floor(this.options.linkLifetimeMs / MS_PER_MINUTE),
      },
    );
  }

  linkTo(key: ResultKey, expiresAtMs: number): string {
    const { linkKey, publicUrl } = this.options;
    return `${publicUrl}${API_PREFIX}/results/${signResultToken(linkKey, key, expiresAtMs)}`;
  }

  /** The tool has run and is paid for, so a full disk or a store that is away must not turn its answer into an error. */
  private async keep(key: ResultKey, content: Buffer, keepUntilMs: number): Promise<string | undefined> {
    const { store, clock, linkLifetimeMs, logger } = this.options;
    try {
      await store.save(key, content, keepUntilMs);
    } catch (err) {
      // What the bounds do not allow is no fault.
      const level = err instanceof NotKept ? 'warn' : 'error';
      logger[level]({ err, executionId: key.executionId }, 'a full result could not be kept');
      return undefined;
    }
    return this.linkTo(key, clock.nowMs() + linkLifetimeMs);
  }
}
