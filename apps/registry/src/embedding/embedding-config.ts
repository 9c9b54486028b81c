import { readFileSync } from 'node:fs';
import { ConfigError, integer, oneOf, text, url, type EnvValues } from '@capability-router/service-kit/config';
import { MAX_DIMENSIONS } from './embedder.js';

const MAX_BATCH = 256;
const MAX_TIMEOUT_MS = 120_000;
const MAX_BUDGET_MS = 5_000;
const MAX_CACHE_ENTRIES = 100_000;
const MAX_REQUESTS_PER_MINUTE = 60_000;
const MAX_TOKENS = 8_192;
/** Characters. */
const MAX_MODEL_LENGTH = 200;
const MAX_PREFIX_LENGTH = 500;
const MAX_KEY_LENGTH = 4_096;

const percent = (desc: string, initial: number) => integer({ desc, min: 1, max: 99, default: initial });

export const embeddingEnvSpec = {
  SEARCH_EMBEDDING_PROVIDER: oneOf(['none', 'static', 'openai', 'onnx'], {
    desc: 'What adds meaning to words in searches: nothing, the word vectors that are shipped, an OpenAI-compatible server, or an ONNX model in a directory.',
    default: 'static',
  }),
  SEARCH_EMBEDDING_BASE_URL: url(['http', 'https'], {
    desc: 'With `openai`: the URL before `/embeddings`. Private addresses are allowed; redirects are not followed.',
    example: 'http://ollama:11434/v1',
    default: undefined,
  }),
  SEARCH_EMBEDDING_MODEL: text({ desc: 'With `openai`: the name of the model.', default: undefined }),
  SEARCH_EMBEDDING_API_KEY: text({ desc: 'With `openai`: sent as a bearer token. Secret.', default: undefined }),
  SEARCH_EMBEDDING_API_KEY_FILE: text({ desc: 'A file that holds that key, instead of it.', default: undefined }),
  SEARCH_EMBEDDING_DIMENSIONS: integer({
    desc: 'With `openai`: dimensions to ask for and to insist on, of models that can shorten vectors. Absent: whatever comes.',
    min: 1,
    max: MAX_DIMENSIONS,
    default: undefined,
  }),
  SEARCH_EMBEDDING_BATCH_SIZE: integer({
    desc: 'With `openai`: tools embedded in one request.',
    min: 1,
    max: MAX_BATCH,
    default: 32,
  }),
  SEARCH_EMBEDDING_REQUESTS_PER_MINUTE: integer({
    desc: 'With `openai`: requests a minute for tools, in every replica; those for queries are not counted.',
    min: 1,
    max: MAX_REQUESTS_PER_MINUTE,
    default: 300,
  }),
  SEARCH_EMBEDDING_TIMEOUT_MS: integer({
    desc: 'With `openai`: milliseconds after which a request is given up.',
    min: 100,
    max: MAX_TIMEOUT_MS,
    default: 10_000,
  }),
  SEARCH_EMBEDDING_ONNX_DIR: text({
    desc: 'With `onnx`: a directory with `model.onnx` and `tokenizer.json`.',
    default: undefined,
  }),
  SEARCH_EMBEDDING_ONNX_RUNTIME_DIR: text({
    desc: 'With `onnx`: a directory in whose `node_modules` onnxruntime-node or onnxruntime-web is installed. Absent: it is installed beside the service.',
    default: undefined,
  }),
  SEARCH_EMBEDDING_ONNX_POOLING: oneOf(['mean', 'cls'], {
    desc: 'With `onnx`: how the vectors of tokens become one; only for a model that leaves it open.',
    default: 'mean',
  }),
  SEARCH_EMBEDDING_ONNX_MAX_TOKENS: integer({
    desc: 'With `onnx`: tokens of a text that the model reads.',
    min: 8,
    max: MAX_TOKENS,
    default: 256,
  }),
  SEARCH_EMBEDDING_QUERY_PREFIX: text({
    desc: 'Put before every query, for models that are trained with one, with its trailing space.',
    default: '',
    example: 'query: ',
  }),
  SEARCH_EMBEDDING_DOCUMENT_PREFIX: text({
    desc: 'Put before the text of every tool. A change makes every tool be embedded again.',
    default: '',
    example: 'passage: ',
  }),
  SEARCH_EMBEDDING_BUDGET_MS: integer({
    desc: 'Milliseconds that a search waits for the vector of its query; later, it is answered without and says `degraded`.',
    min: 1,
    max: MAX_BUDGET_MS,
    default: 60,
  }),
  SEARCH_EMBEDDING_CACHE_ENTRIES: integer({
    desc: 'Vectors of queries that are remembered, for an hour; each takes four bytes a dimension.',
    min: 1,
    max: MAX_CACHE_ENTRIES,
    default: 2_000,
  }),
  SEARCH_EMBEDDING_SHARE_PERCENT: percent('Hundredths of the score that the likeness by a model makes.', 40),
  SEARCH_EMBEDDING_MIN_COSINE_PERCENT: percent(
    'Hundredths: from this cosine on a tool is a result that shares no word with the query. It depends on the model.',
    50,
  ),
  SEARCH_RERANK_BASE_URL: url(['http', 'https'], {
    desc: 'The URL before `/rerank` of a Jina- or Cohere-compatible server that judges the best 50 hits. Absent: nothing does.',
    example: 'http://reranker:8000/v1',
    default: undefined,
  }),
  SEARCH_RERANK_MODEL: text({ desc: 'The name of the reranking model.', default: undefined }),
  SEARCH_RERANK_API_KEY: text({ desc: 'Sent to the reranker as a bearer token. Secret.', default: undefined }),
  SEARCH_RERANK_API_KEY_FILE: text({ desc: 'A file that holds that key, instead of it.', default: undefined }),
  SEARCH_RERANK_TIMEOUT_MS: integer({
    desc: 'Milliseconds after which a request to the reranker is given up.',
    min: 100,
    max: MAX_TIMEOUT_MS,
    default: 2_000,
  }),
  SEARCH_RERANK_BUDGET_MS: integer({
    desc: 'Milliseconds that a search waits for the reranker; later, it is answered without and says `degraded`.',
    min: 1,
    max: MAX_BUDGET_MS,
    default: 200,
  }),
  SEARCH_RERANK_SHARE_PERCENT: percent('Hundredths of the score of a judged hit that the reranker makes.', 70),
};

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
  readonly prefixes: { readonly query: string; readonly document: string };
  readonly budgetMs: number;
  readonly cacheEntries: number;
  readonly share: number;
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
  return {
    embedder: embedderOf(values),
    prefixes,
    budgetMs: values.SEARCH_EMBEDDING_BUDGET_MS,
    cacheEntries: values.SEARCH_EMBEDDING_CACHE_ENTRIES,
    share: values.SEARCH_EMBEDDING_SHARE_PERCENT / 100,
    minCosine: values.SEARCH_EMBEDDING_MIN_COSINE_PERCENT / 100,
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

function embedderOf(values: Values): EmbedderConfig {
  const provider = values.SEARCH_EMBEDDING_PROVIDER;
  if (provider === 'none' || provider === 'static') return { provider };
  if (provider === 'onnx') {
    const directory = values.SEARCH_EMBEDDING_ONNX_DIR;
    if (directory === undefined) throw missing('SEARCH_EMBEDDING_ONNX_DIR', 'SEARCH_EMBEDDING_PROVIDER is onnx');
    const runtimeDirectory = values.SEARCH_EMBEDDING_ONNX_RUNTIME_DIR;
    return {
      provider,
      directory,
      ...(runtimeDirectory === undefined ? {} : { runtimeDirectory }),
      pooling: values.SEARCH_EMBEDDING_ONNX_POOLING,
      maxTokens: values.SEARCH_EMBEDDING_ONNX_MAX_TOKENS,
    };
  }
  const dimensions = values.SEARCH_EMBEDDING_DIMENSIONS;
  return {
    provider,
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
