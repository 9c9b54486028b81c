import type { BusLogger } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { inEnglish, type ChineseGlosses } from '@capability-router/tool-search';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { EmbedTools } from './documents/embed-tools.js';
import type { Embedder } from './embedder.js';
import type { EmbeddingConfig } from './embedding-config.js';
import { HttpReranker } from './http/http-reranker.js';
import { OpenAiEmbedder } from './http/openai-embedder.js';
import { OnnxEmbedder } from './onnx/onnx-embedder.js';
import { BudgetedModel } from './query/budgeted-model.js';
import { questionPolicy } from './query/model-question.js';
import { QueryEmbeddings } from './query/query-embeddings.js';
import { semanticMetrics, type SemanticMetrics } from './semantic-metrics.js';
import { SemanticSearch, type EmbeddingLeg, type RerankingLeg } from './semantic-search.js';
import { VectorIndex } from './vectors/vector-index.js';

const MINUTE_MS = 60_000;
/** Milliseconds for which a failing model is left alone. */
const BREAKER_PAUSE_MS = 5_000;

export interface SemanticParts {
  readonly pool: pg.Pool;
  readonly catalogue: CatalogueCopy;
  readonly clock: Clock;
  readonly glosses: ChineseGlosses;
  readonly logger: Pick<BusLogger, 'warn'>;
  readonly metrics: Registry;
  /** 0 to 1: what a result needs. */
  readonly minFit: number;
}

/** Rejects when a model is configured that cannot be loaded. Nothing runs until `start`. */
export async function createSemanticSearch(config: EmbeddingConfig, parts: SemanticParts): Promise<SemanticSearch> {
  const { catalogue, logger } = parts;
  const embedder = await createEmbedder(config);
  if (embedder === undefined && config.reranker === undefined) {
    return new SemanticSearch(catalogue, undefined, undefined, undefined);
  }
  const metrics: SemanticMetrics = semanticMetrics(parts.metrics, () => leg?.tools.waiting ?? 0);
  const budgeted = (model: string, budgetMs: number): BudgetedModel =>
    new BudgetedModel({
      budgetMs,
      breakerPauseMs: BREAKER_PAUSE_MS,
      onFailure: (error) => logger.warn({ err: error }, `the ${model} model failed; the search goes on without it`),
    });
  const leg = embedder === undefined ? undefined : embeddingLeg(config, parts, embedder, metrics, budgeted);
  return new SemanticSearch(catalogue, leg, rerankingLeg(config, budgeted), metrics);
}

function createEmbedder({ embedder, prefixes }: EmbeddingConfig): Promise<Embedder | undefined> {
  if (embedder.provider === 'openai') return Promise.resolve(new OpenAiEmbedder({ ...embedder, prefixes }));
  if (embedder.provider === 'onnx') return OnnxEmbedder.open({ ...embedder, prefixes });
  return Promise.resolve(undefined);
}

function embeddingLeg(
  config: EmbeddingConfig,
  { pool, clock, logger, minFit, glosses }: SemanticParts,
  embedder: Embedder,
  metrics: SemanticMetrics,
  budgeted: (model: string, budgetMs: number) => BudgetedModel,
): EmbeddingLeg {
  const index = new VectorIndex();
  const pauseMs = config.embedder.provider === 'openai' ? MINUTE_MS / config.embedder.requestsPerMinute : 0;
  return {
    embedder,
    index,
    queries: new QueryEmbeddings(embedder, budgeted('embedding', config.budgetMs), config.cacheEntries, clock),
    tools: new EmbedTools({ pool, embedder, index, logger, pauseMs, onTools: metrics.onTools }),
    asking: questionPolicy(config, minFit),
    inEnglish: (query) => inEnglish(query, glosses),
  };
}

function rerankingLeg(
  { reranker }: EmbeddingConfig,
  budgeted: (model: string, budgetMs: number) => BudgetedModel,
): RerankingLeg | undefined {
  if (reranker === undefined) return undefined;
  const { share, budgetMs, ...endpoint } = reranker;
  return { reranker: new HttpReranker(endpoint), model: budgeted('reranking', budgetMs), share };
}
