import { CONFIG, LOGGER } from '@capability-router/service-kit';
import { JsonataPool, JsonPathPool } from '@capability-router/provider-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';

/** Ends with the service, as whatever it started. */
class JsonPaths extends JsonPathPool implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) { providers }: Pick<ExecutionConfig, 'providers'>, @Inject(LOGGER) logger: Logger) {
    super({
      maxProcesses: providers.jsonPathMaxProcesses,
      onFault: (err: unknown): void => logger.error({ err }, 'a process that evaluates JSONPath failed'),
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** Evaluates what tools say about their results. */
@Injectable()
export class ToolJsonPaths extends JsonPaths {}

/**
 * Evaluates what callers write, in processes of its own: an expression may run to its limit, and must not keep tools from
 * reading their results.
 */
@Injectable()
export class CallerJsonPaths extends JsonPaths {}

/** Evaluates what contracts of capabilities say about the results of tools. */
@Injectable()
export class ResultExpressions extends JsonataPool implements OnApplicationShutdown {
  constructor(@Inject(LOGGER) logger: Logger) {
    super({ onFault: (err: unknown): void => logger.error({ err }, 'a process that evaluates JSONata failed') });
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
