import { creditsFromMicro, formatCredits, ZERO_CREDITS, type Credits } from '@capability-router/kernel';
import {
  ConfigError,
  creditAmount,
  databaseEnvSpec,
  faultEnvSpec,
  integer,
  loadEnv,
  loadFaults,
  type Faults,
} from '@capability-router/service-kit/config';
import { toEmbeddingConfig, type EmbeddingConfig } from './embedding/embedding-config.js';
import { embeddingEnvSpec } from './embedding/embedding-env.js';
import { evidenceEnvSpec, toEvidenceConfig, type EvidenceConfig } from './evidence/evidence-config.js';
import { sourceEnvSpec, toSourceAccess } from './sources/access-config.js';
import type { SourceAccess } from './sources/read-source.js';
import {
  toVerificationPolicy,
  verificationEnvSpec,
  type VerificationPolicy,
} from './verification/verification-config.js';

const MAX_RETENTION_DAYS = 3_650;
const MAX_HOLD_TIMEOUT_MS = 30_000;
/** 1,000 credits: more is a slip of the pen. */
const MAX_SEARCH_PRICE = creditsFromMicro(1_000_000_000n);

export const registryEnvSpec = {
  ...databaseEnvSpec('REGISTRY', 'two more while catalogues are imported'),
  REGISTRY_PAYLOAD_RETENTION_DAYS: integer({
    desc: 'Days for which query texts and request bodies of Discover and Inspect are kept.',
    min: 1,
    max: MAX_RETENTION_DAYS,
    default: 30,
  }),
  REGISTRY_SEARCH_RESULT_RETENTION_DAYS: integer({
    desc: 'Days for which the tool ids that a search returned are kept.',
    min: 1,
    max: MAX_RETENTION_DAYS,
    default: 90,
  }),
  REGISTRY_SEARCH_MIN_SCORE_PERCENT: integer({
    desc: 'Hundredths: a query has no results where none of the first ten tools fits it as well as this (docs/search.md says how that is told); where one does, tools that fit less than half as well are left out. 0 shows every look-alike.',
    min: 0,
    max: 100,
    default: 30,
  }),
  SEARCH_PRICE_CREDITS: creditAmount({
    desc: 'Credits that a Discover request costs which found something; 0 makes searching free.',
    default: ZERO_CREDITS,
  }),
  SEARCH_HOLD_TIMEOUT_MS: integer({
    desc: 'Milliseconds within which billing must reserve the price of a search; later, it is answered 503.',
    min: 100,
    max: MAX_HOLD_TIMEOUT_MS,
    default: 2_000,
  }),
  ...embeddingEnvSpec,
  ...evidenceEnvSpec,
  ...sourceEnvSpec,
  ...verificationEnvSpec,
  ...faultEnvSpec,
};

export interface RegistryConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly payloadRetentionDays: number;
  readonly searchResultRetentionDays: number;
  /** 0 to 1. */
  readonly searchMinFit: number;
  readonly searchPrice: Credits;
  readonly searchHoldTimeoutMs: number;
  readonly embedding: EmbeddingConfig;
  readonly evidence: EvidenceConfig;
  /** How OpenAPI documents and MCP servers are reached. */
  readonly sourceAccess: SourceAccess;
  readonly verification: VerificationPolicy;
  readonly faults: Faults;
}

/** Throws `ConfigError`, which names every variable at fault. */
export function loadRegistryConfig(env: NodeJS.ProcessEnv): RegistryConfig {
  const values = loadEnv(registryEnvSpec, env);
  const searchPrice = values.SEARCH_PRICE_CREDITS;
  if (searchPrice < 0n || searchPrice > MAX_SEARCH_PRICE) {
    throw new ConfigError({ SEARCH_PRICE_CREDITS: `must be from 0 to ${formatCredits(MAX_SEARCH_PRICE)}` });
  }
  return {
    databaseUrl: values.REGISTRY_DATABASE_URL,
    databasePoolSize: values.REGISTRY_DATABASE_POOL_SIZE,
    payloadRetentionDays: values.REGISTRY_PAYLOAD_RETENTION_DAYS,
    searchResultRetentionDays: values.REGISTRY_SEARCH_RESULT_RETENTION_DAYS,
    searchMinFit: values.REGISTRY_SEARCH_MIN_SCORE_PERCENT / 100,
    searchPrice,
    searchHoldTimeoutMs: values.SEARCH_HOLD_TIMEOUT_MS,
    embedding: toEmbeddingConfig(values),
    evidence: toEvidenceConfig(values),
    sourceAccess: toSourceAccess(values),
    verification: toVerificationPolicy(values),
    faults: loadFaults(env),
  };
}
