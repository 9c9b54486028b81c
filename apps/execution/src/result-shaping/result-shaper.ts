import type { Clock, JsonObject, JsonValue } from '@capability-router/kernel';
import { API_PREFIX, type ToolContract } from '@capability-router/contracts';
import type { JsonPathPool } from '@capability-router/provider-kit';
import type { Logger } from 'pino';
import type { ExecuteRequest } from '../execute/execute-request.js';
import { signResultToken } from './serving/result-link.js';
import { shapeResult } from './shape-result.js';
import { NotKept } from './store/kept-results.js';
import type { ResultKey, ResultStore } from './store/result-store.js';

export interface ResultShaperOptions {
  readonly store: Pick<ResultStore, 'save'>;
  /** Evaluates the expressions of `respond_with`, which callers write. */
  readonly jsonPaths: JsonPathPool;
  readonly linkKey: Buffer;
  readonly linkLifetimeMs: number;
  /** Origin of the links. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Shapes `result` as the caller asked for it, and keeps what does not fit behind a signed link. */
export class ResultShaper {
  constructor(private readonly options: ResultShaperOptions) {}

  shape(
    key: ResultKey,
    request: ExecuteRequest,
    tool: ToolContract,
    data: JsonValue,
    serialized: Buffer,
  ): Promise<JsonObject> {
    const { metering } = tool.price;
    const rowsPath = metering.kind === 'result_rows' ? metering.path : undefined;
    const { maxResponseBytes, projection } = request;
    return shapeResult(
      { data, serialized, maxResponseBytes, projection, rowsPath },
      {
        projectFields: (text, { fields }) => this.options.jsonPaths.select(text, fields),
        keep: (content) => this.keep(key, content),
      },
    );
  }

  linkTo(key: ResultKey, expiresAtMs: number): string {
    const { linkKey, publicUrl } = this.options;
    return `${publicUrl}${API_PREFIX}/results/${signResultToken(linkKey, key, expiresAtMs)}`;
  }

  /** The tool has run and is paid for, so a full disk or a store that is away must not turn its answer into an error. */
  private async keep(key: ResultKey, content: Buffer): Promise<string | undefined> {
    const { store, clock, linkLifetimeMs, logger } = this.options;
    try {
      await store.save(key, content);
    } catch (err) {
      // What the bounds do not allow is no fault.
      const level = err instanceof NotKept ? 'warn' : 'error';
      logger[level]({ err, executionId: key.executionId }, 'a full result could not be kept');
      return undefined;
    }
    return this.linkTo(key, clock.nowMs() + linkLifetimeMs);
  }
}
