import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type EnvValues } from '@capability-router/service-kit/config';
import type { embeddingEnvSpec } from './embedding-env.js';
import { readModelSettings, type ModelSettings } from './onnx/model-settings.js';

/** Characters. */
const MAX_MODEL_LENGTH = 200;
const MAX_PREFIX_LENGTH = 500;
const MAX_KEY_LENGTH = 4_096;
const DEFAULT_SHARE_PERCENT = 40;
const DEFAULT_COSINE_PERCENT = 50;
const DEFAULT_TOKENS = 256;

interface EndpointConfig {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly timeoutMs: number;
}

export type EmbedderConfig =
  | { readonly provider: 'none' | 'static' }
  | ({
      readonly provider: 'openai';
      readonly dimensions?: number;
      readonly batchSize: number;
      readonly requestsPerMinute: number;
    } & EndpointConfig)
  | {
      readonly provider: 'onnx';
      readonly directory: string;
      readonly runtimeDirectory?: string;
      readonly pooling: 'mean' | 'cls';
      readonly maxTokens: number;
    };

export interface EmbeddingConfig {
  readonly embedder: EmbedderConfig;
  /** Unicode names of the scripts that the model reads; a query with letters of another is none of its. Absent: all of them. */
  readonly scripts?: readonly string[];
  readonly prefixes: { readonly query: string; readonly document: string };
  readonly budgetMs: number;
  readonly cacheEntries: number;
  readonly share: number;
  /** The share where the model is asked in the words of a dictionary; absent where it is not. */
  readonly glossedShare?: number;
  readonly minCosine: number;
  readonly reranker?: EndpointConfig & { readonly budgetMs: number; readonly share: number };
}

type Values = EnvValues<typeof embeddingEnvSpec>;

/** Throws `ConfigError`, which never repeats a key. Reads the files that hold keys. */
export function toEmbeddingConfig(values: Values): EmbeddingConfig {
  const prefixes = { query: values.SEARCH_EMBEDDING_QUERY_PREFIX, document: values.SEARCH_EMBEDDING_DOCUMENT_PREFIX };
  for (const [kind, prefix] of Object.entries(prefixes)) {
    if (prefix.length <= MAX_PREFIX_LENGTH) continue;
    throw new ConfigError({
      [`SEARCH_EMBEDDING_${kind.toUpperCase()}_PREFIX`]: `must have at most ${MAX_PREFIX_LENGTH} characters`,
    });
  }
  const reranker = values.SEARCH_RERANK_BASE_URL === undefined ? undefined : endpointOf('SEARCH_RERANK', values);
  const chosen = chosenOf(values);
  const model = chosen.directory === undefined ? {} : settingsOf(chosen.directory);
  return {
    embedder: embedderOf(chosen, model, values),
    ...(model.scripts === undefined ? {} : { scripts: model.scripts }),
    prefixes,
    budgetMs: values.SEARCH_EMBEDDING_BUDGET_MS,
    cacheEntries: values.SEARCH_EMBEDDING_CACHE_ENTRIES,
    share: (values.SEARCH_EMBEDDING_SHARE_PERCENT ?? model.share_percent ?? DEFAULT_SHARE_PERCENT) / 100,
    ...(model.glossed_share_percent === undefined ? {} : { glossedShare: model.glossed_share_percent / 100 }),
    minCosine: (values.SEARCH_EMBEDDING_MIN_COSINE_PERCENT ?? model.min_cosine_percent ?? DEFAULT_COSINE_PERCENT) / 100,
    ...(reranker === undefined
      ? {}
      : {
          reranker: {
            ...reranker,
            budgetMs: values.SEARCH_RERANK_BUDGET_MS,
            share: values.SEARCH_RERANK_SHARE_PERCENT / 100,
          },
        }),
  };
}

/** Does the index rank by its word vectors? Not where search by meaning is off. */
export const usesWordVectors = ({ embedder }: Pick<EmbeddingConfig, 'embedder'>): boolean =>
  embedder.provider !== 'none';

interface Chosen {
  readonly provider: EmbedderConfig['provider'];
  /** With `onnx`: the folder of the model. */
  readonly directory?: string;
}

/** By `REGISTRY_EMBEDDING` or by `SEARCH_EMBEDDING_PROVIDER` and what belongs to it, never by both. */
function chosenOf(values: Values): Chosen {
  const { REGISTRY_EMBEDDING: inOne, SEARCH_EMBEDDING_PROVIDER: provider, SEARCH_EMBEDDING_ONNX_DIR: named } = values;
  if (inOne === undefined) {
    if (provider !== 'onnx') return { provider: provider ?? 'static' };
    if (named === undefined) throw missing('SEARCH_EMBEDDING_ONNX_DIR', 'SEARCH_EMBEDDING_PROVIDER is onnx');
    return { provider, directory: named };
  }
  for (const [name, value] of Object.entries({
    SEARCH_EMBEDDING_PROVIDER: provider,
    SEARCH_EMBEDDING_ONNX_DIR: named,
  })) {
    if (value !== undefined)
      throw new ConfigError({ [name]: 'excludes REGISTRY_EMBEDDING, which says the same in one setting' });
  }
  if (inOne === 'none' || inOne === 'static') return { provider: inOne };
  const directory = /^onnx:(.+)$/.exec(inOne)?.[1];
  if (directory !== undefined) return { provider: 'onnx', directory };
  throw new ConfigError({ REGISTRY_EMBEDDING: 'must be none, static, or onnx: with the folder of a model behind it' });
}

function settingsOf(directory: string): ModelSettings {
  try {
    return readModelSettings(directory);
  } catch (error) {
    throw new ConfigError({ REGISTRY_EMBEDDING: error instanceof Error ? error.message : String(error) });
  }
}

function embedderOf({ provider, directory }: Chosen, model: ModelSettings, values: Values): EmbedderConfig {
  if (provider === 'none' || provider === 'static') return { provider };
  if (directory !== undefined) {
    const beside = existsSync(join(directory, 'node_modules')) ? directory : undefined;
    const runtimeDirectory = values.SEARCH_EMBEDDING_ONNX_RUNTIME_DIR ?? beside;
    return {
      provider: 'onnx',
      directory,
      ...(runtimeDirectory === undefined ? {} : { runtimeDirectory }),
      pooling: values.SEARCH_EMBEDDING_ONNX_POOLING ?? model.pooling ?? 'mean',
      maxTokens: values.SEARCH_EMBEDDING_ONNX_MAX_TOKENS ?? model.max_tokens ?? DEFAULT_TOKENS,
    };
  }
  const dimensions = values.SEARCH_EMBEDDING_DIMENSIONS;
  return {
    provider: 'openai',
    ...endpointOf('SEARCH_EMBEDDING', values),
    batchSize: values.SEARCH_EMBEDDING_BATCH_SIZE,
    requestsPerMinute: values.SEARCH_EMBEDDING_REQUESTS_PER_MINUTE,
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

function endpointOf(prefix: 'SEARCH_EMBEDDING' | 'SEARCH_RERANK', values: Values): EndpointConfig {
  const baseUrl = values[`${prefix}_BASE_URL`];
  const model = values[`${prefix}_MODEL`];
  if (baseUrl === undefined) throw missing(`${prefix}_BASE_URL`, 'a model server is configured');
  if (model === undefined) throw missing(`${prefix}_MODEL`, 'a model server is configured');
  if (model.length > MAX_MODEL_LENGTH) {
    throw new ConfigError({ [`${prefix}_MODEL`]: `must have at most ${MAX_MODEL_LENGTH} characters` });
  }
  const { username, password, search, hash } = new URL(baseUrl);
  if (`${username}${password}${search}${hash}` !== '') {
    throw new ConfigError({
      [`${prefix}_BASE_URL`]: `must have no user, password, query or fragment; a key belongs into ${prefix}_API_KEY`,
    });
  }
  const apiKey = apiKeyOf(prefix, values);
  return {
    baseUrl,
    model,
    timeoutMs: values[`${prefix}_TIMEOUT_MS`],
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

function apiKeyOf(prefix: 'SEARCH_EMBEDDING' | 'SEARCH_RERANK', values: Values): string | undefined {
  const file = values[`${prefix}_API_KEY_FILE`];
  const given = values[`${prefix}_API_KEY`];
  if (file === undefined) return given === undefined ? undefined : checkedKey(`${prefix}_API_KEY`, given);
  if (given !== undefined) throw new ConfigError({ [`${prefix}_API_KEY_FILE`]: `excludes ${prefix}_API_KEY` });
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError({ [`${prefix}_API_KEY_FILE`]: `names a file that cannot be read: ${file}` });
  }
  return checkedKey(`${prefix}_API_KEY_FILE`, content.trim());
}

/** Visible ASCII, so that it is a header value. */
function checkedKey(name: string, key: string): string {
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError({ [name]: `must be one line of at most ${MAX_KEY_LENGTH} visible ASCII characters` });
}

const missing = (name: string, because: string): ConfigError =>
  new ConfigError({ [name]: `is missing, while ${because}` });
