import type { HttpBinding, McpBinding, ProviderEgress } from '@capability-router/contracts';
import type { ProviderRequest } from '../provider-adapter.js';

/** The settings that let a provider of a test be a server on the loopback. */
export const loopback: ProviderEgress = { allowHttp: true, allowNetworks: ['127.0.0.1/32'] };

export const provider = (providerId = 'demo', egress: ProviderEgress = loopback): ProviderRequest['provider'] => ({
  providerId,
  name: { en: providerId },
  description: { en: providerId },
  egress,
});

export const httpBinding = (url: string, over: Partial<HttpBinding> = {}): HttpBinding => ({
  kind: 'http',
  method: 'GET',
  url,
  placements: {},
  auth: { kind: 'none' },
  ...over,
});

export const requestOf = (
  binding: HttpBinding | McpBinding,
  over: Partial<Omit<ProviderRequest, 'binding'>> = {},
): ProviderRequest => ({
  toolId: 'demo.thing.get.v1',
  provider: provider(),
  parameters: {},
  // More than a slow machine needs, for what is not about time.
  deadlineMs: 30_000,
  ...over,
  binding,
});
