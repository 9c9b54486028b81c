import type { Clock, ExecutionId, JsonObject, JsonValue } from '@capability-router/kernel';
import { API_PREFIX, type ToolContract } from '@capability-router/contracts';
import type { Logger } from 'pino';
import type { ExecuteRequest } from '../execute/execute-request.js';
import type { FieldProjector } from './project-fields.js';
import { RESULT_LINK_LIFETIME_MS, signResultToken } from './result-link.js';
import type { ResultStore } from './result-store.js';
import { shapeResult } from './shape-result.js';

export interface ResultShaperOptions {
  readonly store: ResultStore;
  readonly projector: FieldProjector;
  readonly linkKey: Buffer;
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
        projectFields: (text, { fields }) => this.options.projector.project(text, fields),
        keep: (content) => this.keep(executionId, content),
      },
    );
  }

  /** The tool has run and is paid for, so a full disk must not turn its answer into an error. */
  private async keep(executionId: ExecutionId, content: Buffer): Promise<string | undefined> {
    const { store, clock, linkKey, publicUrl, logger } = this.options;
    try {
      await store.save(executionId, content);
    } catch (err) {
      logger.error({ err, executionId }, 'a full result could not be kept');
      return undefined;
    }
    const token = signResultToken(linkKey, executionId, clock.nowMs() + RESULT_LINK_LIFETIME_MS);
    return `${publicUrl}${API_PREFIX}/results/${token}`;
  }
}
