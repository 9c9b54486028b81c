import { pathToFileURL } from 'node:url';
import { billingEnvSpec, loadBillingConfig } from '@capability-router/billing/config';
import { capabilityRoutingEnvSpec, loadCapabilityRoutingConfig } from '@capability-router/capability-routing/config';
import { contexts, type ContextName } from '@capability-router/contracts';
import { executionEnvSpec, loadExecutionConfig } from '@capability-router/execution/config';
import { gatewayEnvSpec, loadGatewayConfig } from '@capability-router/gateway/config';
import { identityEnvSpec, loadIdentityConfig } from '@capability-router/identity/config';
import { loadRegistryConfig, registryEnvSpec } from '@capability-router/registry/config';
import {
  commonEnvSpec,
  envPrefixOf,
  loadTogether,
  nearMisses,
  peerEnvSpec,
  type NearMiss,
  redisEnvSpec,
} from '@capability-router/service-kit/config';
import { loadStandaloneConfig, standaloneEnvSpec, type StandaloneConfig } from './config.js';

/** Settings that standalone itself gives its services, whatever the environment says. */
export interface GivenToServices {
  readonly publicUrl: string;
  readonly resultStoreDir: string;
  readonly resultLinkKey: string;
  /** Used unless whoever runs it brings theirs. */
  readonly credentialKeys: string;
  /** Used unless whoever runs it brings theirs. */
  readonly identityPepper: string;
  /** Mail is written there unless whoever runs it names another place. */
  readonly mailDir: string;
  databaseUrlOf(service: Exclude<ContextName, 'gateway'>): string;
}

/** Connections per service: five services share one small server. */
const POOL_SIZE = 12;

/** Settings of mail that goes into files. */
const OWN_SENDER = 'Capability Router <no-reply@localhost>';

const withDatabase = contexts.filter((name) => name !== 'gateway');

/** The environment of the services: the caller's, but for what standalone provides. */
export function serviceEnv(processEnv: NodeJS.ProcessEnv, given: GivenToServices): NodeJS.ProcessEnv {
  const pools = withDatabase.map((name) => [`${envPrefixOf(name)}_DATABASE_POOL_SIZE`, String(POOL_SIZE)] as const);
  const databases = withDatabase.map(
    (name) => [`${envPrefixOf(name)}_DATABASE_URL`, given.databaseUrlOf(name)] as const,
  );
  const own = (name: string): boolean => (processEnv[name] ?? '') !== '';
  const ownKeys = [processEnv['CREDENTIAL_KEYS'], processEnv['CREDENTIAL_KEYS_FILE']].some(
    (value) => value !== undefined && value !== '',
  );
  return {
    ...Object.fromEntries(pools),
    ...processEnv,
    PUBLIC_URL: given.publicUrl,
    RESULT_STORE_DIR: given.resultStoreDir,
    RESULT_LINK_KEY: given.resultLinkKey,
    ...(ownKeys ? {} : { CREDENTIAL_KEYS: given.credentialKeys }),
    ...(own('IDENTITY_PEPPER') ? {} : { IDENTITY_PEPPER: given.identityPepper }),
    ...(own('MAIL_URL')
      ? {}
      : { MAIL_URL: pathToFileURL(given.mailDir).href, MAIL_FROM: processEnv['MAIL_FROM'] || OWN_SENDER }),
    ...Object.fromEntries(databases),
    // The limits and caches of one process need no Redis, and a stray setting of another product must not reach one.
    ...Object.fromEntries(Object.keys(redisEnvSpec).map((name) => [name, ''])),
  };
}

/** Stands for what is made or found later, while only the environment is judged. */
const placeholders: GivenToServices = {
  publicUrl: 'http://127.0.0.1',
  resultStoreDir: 'results',
  resultLinkKey: 'k'.repeat(32),
  credentialKeys: `k1:${'00'.repeat(32)}`,
  identityPepper: 'p'.repeat(32),
  mailDir: '/mails',
  databaseUrlOf: () => 'postgres://127.0.0.1/placeholder',
};

/**
 * The settings of standalone, once those of every service are known to be good: a start that must fail does so before it
 * creates anything.
 *
 * @throws ConfigError that names every variable at fault, of standalone and of all services
 */
export function judgeSettings(processEnv: NodeJS.ProcessEnv): StandaloneConfig {
  const env = serviceEnv(processEnv, placeholders);
  const { standalone } = loadTogether({
    standalone: () => loadStandaloneConfig(processEnv),
    identity: () => loadIdentityConfig(env),
    billing: () => loadBillingConfig(env),
    registry: () => loadRegistryConfig(env),
    capabilityRouting: () => loadCapabilityRoutingConfig(env),
    execution: () => loadExecutionConfig(env),
    gateway: () => loadGatewayConfig(env),
  });
  return standalone;
}

/** Variables that look like settings of ours and are none. */
export function misspeltSettings(processEnv: NodeJS.ProcessEnv): readonly NearMiss[] {
  const specs = [
    standaloneEnvSpec,
    commonEnvSpec,
    peerEnvSpec,
    identityEnvSpec,
    billingEnvSpec,
    registryEnvSpec,
    capabilityRoutingEnvSpec,
    executionEnvSpec,
    gatewayEnvSpec,
  ];
  return nearMisses(
    processEnv,
    specs.flatMap((spec) => Object.keys(spec)),
  );
}
