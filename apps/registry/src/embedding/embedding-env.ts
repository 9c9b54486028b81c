import { integer, oneOf, text, url } from '@capability-router/service-kit/config';
import { MAX_DIMENSIONS } from './embedder.js';
import { MAX_TOKENS, MIN_TOKENS, percent } from './onnx/model-settings.js';

const MAX_BATCH = 256;
const MAX_TIMEOUT_MS = 120_000;
const MAX_BUDGET_MS = 5_000;
const MAX_CACHE_ENTRIES = 100_000;
const MAX_REQUESTS_PER_MINUTE = 60_000;

export const embeddingEnvSpec = {
  REGISTRY_EMBEDDING: text({
    desc: 'In one setting: `none`, `static`, or `onnx:` with the folder of a model, such as `npm run make:embedding-model` makes. Instead of `SEARCH_EMBEDDING_PROVIDER`.',
    example: 'onnx:/models/minilm',
    default: undefined,
  }),
  SEARCH_EMBEDDING_PROVIDER: oneOf(['none', 'static', 'openai', 'onnx'], {
    desc: 'What adds meaning to words in searches: nothing, the word vectors that are shipped, an OpenAI-compatible server, or an ONNX model in a directory. Absent: `static`.',
    default: undefined,
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
    desc: 'With `onnx`: a directory in whose `node_modules` onnxruntime-node or onnxruntime-web is installed. Absent: the directory of the model, where it has such a folder, or else the service.',
    default: undefined,
  }),
  SEARCH_EMBEDDING_ONNX_POOLING: oneOf(['mean', 'cls'], {
    desc: 'With `onnx`: how the vectors of tokens become one; only for a model that leaves it open. Absent: what `search.json` of the model says, or `mean`.',
    default: undefined,
  }),
  SEARCH_EMBEDDING_ONNX_MAX_TOKENS: integer({
    desc: 'With `onnx`: tokens of a text that the model reads. Absent: what `search.json` of the model says, or 256.',
    min: MIN_TOKENS,
    max: MAX_TOKENS,
    default: undefined,
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
  SEARCH_EMBEDDING_SHARE_PERCENT: integer({
    desc: 'Hundredths of the score that the likeness by a model makes. Absent: what `search.json` of an ONNX model says, or 40.',
    ...percent,
    default: undefined,
  }),
  SEARCH_EMBEDDING_MIN_COSINE_PERCENT: integer({
    desc: 'Hundredths: from this cosine on a tool is a result that shares no word with the query. It depends on the model. Absent: what `search.json` of an ONNX model says, or 50.',
    ...percent,
    default: undefined,
  }),
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
  SEARCH_RERANK_SHARE_PERCENT: integer({
    desc: 'Hundredths of the score of a judged hit that the reranker makes.',
    ...percent,
    default: 70,
  }),
};
