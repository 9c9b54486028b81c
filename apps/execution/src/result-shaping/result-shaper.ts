import type { Clock, ExecutionId, JsonObject, JsonValue } from '@capability-router/kernel';
import { API_PREFIX, type ToolContract } from '@capability-router/contracts';
import type { JsonPathPool } from '@capability-router/provider-kit';
import type { Logger } from 'pino';
import type { ExecuteRequest } from '../execute/execute-request.js';
import { signResultToken } from './result-link.js';
import type { ResultStore } from './result-store.js';
import { shapeResult } from './shape-result.js';

export interface ResultShaperOptions {
  readonly store: ResultStore;
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
    executionId: ExecutionId,
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
        keep: (content) => this.keep(executionId, content),
      },
    );
  }

  /** The tool has run and is paid for, so a full disk must not turn its answer into an error. */
  private async keep(executionId: ExecutionId, content: Buffer): Promise<string | undefined> {
    const { store, clock, linkKey, linkLifetimeMs, publicUrl, logger } = this.options;
    try {
      await store.save(executionId, content);
    } catch (err) {
      logger.error({ err, executionId }, 'a full result could not be kept');
      return undefined;
    }
    const token = signResultToken(linkKey, executionId, clock.nowMs() + linkLifetimeMs);
    return `${publicUrl}${API_PREFIX}/results/${token}`;
  }
}
