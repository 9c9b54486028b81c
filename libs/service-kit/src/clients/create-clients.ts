import { contexts, type ContextName } from '@capability-router/contracts';
import { envPrefixOf } from '../config/common-env.js';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import { lookUpFewAtOnce } from './addresses/look-up-name.js';
import type { AddressObserver } from './addresses/service-address.js';
import { HttpServiceClient } from './http-service-client.js';
import { UpstreamUnavailable, type ServiceClients, type StreamingServiceClient } from './service-client.js';

export interface ClosableClients {
  readonly clients: ServiceClients;
  close(): Promise<void>;
}

/** HTTP clients of all peers. One without an address fails when it is called, with a message that names the variable. */
export function createHttpClients(
  urlsOf: (name: ContextName) => readonly string[] | undefined,
  tokens: InternalTokens,
  observer?: AddressObserver,
): ClosableClients {
  const opened: HttpServiceClient[] = [];
  const options = { tokens, lookUpName: lookUpFewAtOnce(), ...(observer === undefined ? {} : { observer }) };
  const entries = contexts.map((service): [ContextName, StreamingServiceClient] => {
    const urls = urlsOf(service);
    if (urls === undefined) return [service, missing(service)];
    const client = new HttpServiceClient({ service, urls, ...options });
    opened.push(client);
    return [service, client];
  });
  return {
    clients: Object.fromEntries(entries) as ServiceClients,
    close: async () => {
      await Promise.all(opened.map((client) => client.close()));
    },
  };
}

function missing(service: ContextName): StreamingServiceClient {
  const problem = new Error(`${envPrefixOf(service)}_URL is not set`);
  const fail = (): Promise<never> => Promise.reject(new UpstreamUnavailable(service, false, problem));
  return { request: fail, stream: fail };
}
