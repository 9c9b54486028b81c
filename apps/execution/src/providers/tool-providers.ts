import { CONFIG, LOGGER, METRICS } from '@capability-router/service-kit';
import type { BreakerReport, ProviderAdapter, ProviderAnswer, ProviderRequest } from '@capability-router/provider-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ExecutionConfig } from '../config.js';
import { CredentialStore } from '../credentials/credential-store.js';
import { PROVIDER_REPLACEMENT } from '../tokens.js';
import { createProviders, type Providers } from './create-providers.js';
import { ToolJsonPaths } from './evaluators.js';

/** Runs tools of every kind of binding, by the adapters of this deployment. */
@Injectable()
export class ToolProviders implements Providers, OnApplicationShutdown {
  private readonly adapter: ProviderAdapter & Partial<Providers>;

  constructor(
    @Inject(CONFIG) { providers: config }: Pick<ExecutionConfig, 'providers'>,
    @Inject(ToolJsonPaths) jsonPaths: ToolJsonPaths,
    @Inject(CredentialStore) credentials: CredentialStore,
    @Inject(LOGGER) logger: Logger,
    @Inject(METRICS) metrics: Registry,
    @Inject(PROVIDER_REPLACEMENT) replacement: ProviderAdapter | undefined,
  ) {
    this.adapter = replacement ?? createProviders({ config, jsonPaths, credentials, logger, metrics });
  }

  async start(): Promise<void> {
    await this.adapter.start?.();
  }

  call(request: ProviderRequest): Promise<ProviderAnswer> {
    return this.adapter.call(request);
  }

  forgetCredential(revision: string): void {
    this.adapter.forgetCredential?.(revision);
  }

  breakers(): readonly BreakerReport[] {
    return this.adapter.breakers?.() ?? [];
  }

  close(): Promise<void> {
    return this.adapter.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
