import { join } from 'node:path';
import { contexts, type ContextName } from '@capability-router/contracts';
import { envPrefixOf } from '@capability-router/service-kit';
import type { StackState } from '../stack-state.js';

export interface ReplicaAddress {
  readonly port: number;
  readonly metricsPort: number;
}

export type ServiceEnvironment = Readonly<Record<string, string>>;

/** Every variable that a replica needs to run on the stack. */
export function environmentOf(
  stack: StackState,
  name: ContextName,
  own: ReplicaAddress,
  addresses: Readonly<Record<ContextName, readonly ReplicaAddress[]>>,
): ServiceEnvironment {
  return {
    HOST: '127.0.0.1',
    PORT: String(own.port),
    METRICS_PORT: String(own.metricsPort),
    PUBLIC_URL: urlOf(addresses.gateway[0] ?? own),
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    REDIS_URL: stack.redisUrl,
    INTERNAL_SIGNING_KEY: JSON.stringify(stack.keys.signingKeys[name]),
    INTERNAL_JWKS: JSON.stringify(stack.keys.jwks),
    // No balancer has to learn that a replica on this machine leaves.
    SHUTDOWN_DRAIN_MS: '0',
    // Calls are counted and measured here: tools are verified where somebody asks for it.
    VERIFICATION_INTERVAL_HOURS: '0',
    ...Object.fromEntries(contexts.map((peer) => [`${envPrefixOf(peer)}_URL`, addresses[peer].map(urlOf).join(',')])),
    ...databaseVariables(stack, name),
    ...(name === 'execution'
      ? {
          RESULT_STORE_DIR: join(stack.directory, 'shared', 'results'),
          RESULT_LINK_KEY: stack.secrets.resultLinkKey,
          CREDENTIAL_KEYS: stack.secrets.credentialKeys,
        }
      : {}),
  };
}

export function urlOf(address: ReplicaAddress): string {
  return `http://127.0.0.1:${address.port}`;
}

/** A service is given its own database and no other's. */
function databaseVariables(stack: StackState, name: ContextName): ServiceEnvironment {
  if (name === 'gateway') return {};
  const { appUrl, ownerUrl } = stack.databases[name];
  const prefix = envPrefixOf(name);
  return { [`${prefix}_DATABASE_URL`]: appUrl, [`${prefix}_DATABASE_OWNER_URL`]: ownerUrl };
}

/** The environment of the commands that read databases and the broker (`caprouter ledger`, `doctor` and others), as the services have it. */
export function booksEnvironment(stack: StackState): ServiceEnvironment {
  const services = contexts.filter((name) => name !== 'gateway');
  const urls = services.map((name) => [`${envPrefixOf(name)}_DATABASE_URL`, stack.databases[name].appUrl] as const);
  return {
    ...Object.fromEntries(urls),
    KAFKA_BROKERS: stack.kafkaBrokers.join(','),
    REDIS_URL: stack.redisUrl,
  };
}
