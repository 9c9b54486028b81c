import type { Clock, JsonObject, JsonValue } from '@capability-router/kernel';
import { API_PREFIX, type ToolContract } from '@capability-router/contracts';
import type { JsonPathPool } from '@capability-router/provider-kit';
import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CallerJsonPaths } from '../providers/evaluators.js';
import { EXECUTION_PUBLIC_URL } from '../tokens.js';
import { signResultToken } from './serving/result-link.js';
import { shapeResult, type ShapeInput } from './shape-result.js';
import { KeptResults } from './store/kept-results.js';
import type { ResultKey } from './store/result-store.js';
import { NotKept } from './store/write-bounds.js';

/** Links are signed with the key, and work for as long as results are kept. */
interface LinkConfig {
  readonly resultLinkKey: Buffer;
  readonly resultStore: { readonly lifetimeMs: number };
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
@Injectable()
export class ResultShaper {
  constructor(
    @Inject(KeptResults) private readonly store: Pick<KeptResults, 'save'>,
    /** Evaluates the expressions of `respond_with`, which callers write. */
    @Inject(CallerJsonPaths) private readonly jsonPaths: JsonPathPool,
    @Inject(CONFIG) private readonly config: LinkConfig,
    /** Origin of the links. */
    @Inject(EXECUTION_PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  shape({ key, request, tool, data, serialized, keepUntilMs }: ToShape): Promise<JsonObject> {
    const { metering } = tool.price;
    const rowsPath = metering.kind === 'result_rows' ? metering.path : undefined;
    const { maxResponseBytes, projection } = request;
    return shapeResult(
      { data, serialized, maxResponseBytes, projection, rowsPath },
      {
        projectFields: (text, { fields }) => this.jsonPaths.select(text, fields, key.accountId),
        keep: (content) => this.keep(key, content, keepUntilMs),
        linkMinutes: Math.floor(this.config.resultStore.lifetimeMs / MS_PER_MINUTE),
      },
    );
  }

  linkTo(key: ResultKey, expiresAtMs: number): string {
    return `${this.publicUrl}${API_PREFIX}/results/${signResultToken(this.config.resultLinkKey, key, expiresAtMs)}`;
  }

  /** The tool has run and is paid for, so a full disk or a store that is away must not turn its answer into an error. */
  private async keep(key: ResultKey, content: Buffer, keepUntilMs: number): Promise<string | undefined> {
    try {
      await this.store.save(key, content, keepUntilMs);
    } catch (err) {
      // A result that the bounds do not allow is no fault.
      const level = err instanceof NotKept ? 'warn' : 'error';
      this.logger[level]({ err, executionId: key.executionId }, 'a full result could not be kept');
      return undefined;
    }
    return this.linkTo(key, this.clock.nowMs() + this.config.resultStore.lifetimeMs);
  }
}
