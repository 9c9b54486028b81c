import { JsonPathPool, type JsonPathPoolOptions } from '@capability-router/provider-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import { EXECUTION_CONFIG, EXECUTION_LOGGER } from '../tokens.js';

const optionsOf = ({ providers }: Pick<ExecutionConfig, 'providers'>, logger: Logger): JsonPathPoolOptions => ({
  maxProcesses: providers.jsonPathMaxProcesses,
  onFault: (err: unknown): void => logger.error({ err }, 'a process that evaluates JSONPath failed'),
});

/** Evaluates what tools say about their results. */
@Injectable()
export class ToolJsonPaths extends JsonPathPool implements OnApplicationShutdown {
  constructor(
    @Inject(EXECUTION_CONFIG) config: Pick<ExecutionConfig, 'providers'>,
    @Inject(EXECUTION_LOGGER) logger: Logger,
  ) {
    super(optionsOf(config, logger));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/**
 * Evaluates what callers write, in processes of its own: an expression may run to its limit, and must not keep tools from
 * reading their results.
 */
@Injectable()
export class CallerJsonPaths extends JsonPathPool implements OnApplicationShutdown {
  constructor(
    @Inject(EXECUTION_CONFIG) config: Pick<ExecutionConfig, 'providers'>,
    @Inject(EXECUTION_LOGGER) logger: Logger,
  ) {
    super(optionsOf(config, logger));
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
