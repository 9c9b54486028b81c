import { builtinOperationsUrl } from '@capability-router/builtin-tools';
import {
  Authorizer,
  BuiltinAdapter,
  HttpAdapter,
  McpAdapter,
  ProviderChannels,
  RoutingAdapter,
  type BreakerReport,
  type CredentialSource,
  type JsonPathPool,
  type ProviderAdapter,
} from '@capability-router/provider-kit';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { builtinMetrics } from './builtin-metrics.js';
import { providerMetrics } from './provider-metrics.js';
import type { ProvidersConfig } from './providers-config.js';

export interface ProvidersParts {
  readonly config: ProvidersConfig;
  readonly jsonPaths: JsonPathPool;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly credentials: CredentialSource;
}

export interface Providers extends ProviderAdapter {
  /** Rejects where built-in tools cannot be run: a service must not start without. */
  start(): Promise<void>;
  /** A credential was replaced or deleted: tokens and sessions that were got with it are dropped. */
  forgetCredential(revision: string): void;
  /** Lists the breakers of all providers that were called lately. */
  breakers(): readonly BreakerReport[];
}

/** The adapters of this deployment for every kind of binding. */
export function createProviders(parts: ProvidersParts): Providers {
  const { config, jsonPaths, logger, credentials } = parts;
  const report = (toolId: string, err: unknown): void =>
    logger.error({ toolId, err }, 'a tool could not be called for a reason that is not its caller’s');
  const channels = new ProviderChannels({
    ...config.channels,
    onBreakerChange: (providerId, state) => logger.warn({ providerId, state }, 'the breaker of a provider changed'),
  });
  const authorizer = new Authorizer(credentials, (err) => report('-', err));
  const metrics = providerMetrics(
    parts.metrics,
    () => channels.breakers(),
    () => channels.inFlight,
  );
  const mcp = new McpAdapter({
    channels,
    authorizer,
    report,
    stdioCommands: config.stdioCommands,
    maxStdioProcesses: config.maxStdioProcesses,
    maxResultBytes: config.channels.maxBodyBytes,
  });
  const builtin: BuiltinAdapter = new BuiltinAdapter({
    ...config.builtin,
    operationsUrl: builtinOperationsUrl,
    observe: builtinMetrics(parts.metrics, () => builtin),
    onUnexpected: (toolId, detail) => logger.error({ toolId, detail }, 'a built-in tool failed unexpectedly'),
  });
  const adapters = new RoutingAdapter(
    {
      builtin,
      http: new HttpAdapter({ channels, authorizer, jsonPaths, report }),
      mcp,
    },
    metrics.onAnswer,
  );
  return {
    start: () => builtin.start(),
    call: (request) => adapters.call(request),
    forgetCredential(revision) {
      authorizer.forget(revision);
      mcp.forgetCredential(revision);
    },
    breakers: () => channels.breakers(),
    async close() {
      await adapters.close();
      await channels.close();
    },
  };
}
