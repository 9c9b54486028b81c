import type { ToolContract } from '@capability-router/contracts';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { queryTerms, type SemanticEvidence } from '@capability-router/tool-search';
import type { CatalogueCopy, FoundByIndex } from '../search-index/catalogue-copy.js';
import type { KnownTool } from '../search-index/known-tool.js';
import { rerankOrder } from './domain/rerank-order.js';
import { semanticEvidence } from './domain/semantic-evidence.js';
import { toolText } from './domain/tool-text.js';
import type { EmbedTools } from './documents/embed-tools.js';
import type { Embedder, Reranker } from './embedder.js';
import type { BudgetedModel } from './query/budgeted-model.js';
import { modelQuestion, type ModelQuestion, type QuestionPolicy } from './query/model-question.js';
import type { QueryEmbeddings } from './query/query-embeddings.js';
import type { SemanticMetrics } from './semantic-metrics.js';
import type { VectorIndex } from './vectors/vector-index.js';

/** Nearest tools that a query's vector names. */
export const NEIGHBOURS = 200;
/** Best hits that the reranker judges. */
const RERANKED_HITS = 50;

export interface EmbeddingLeg {
  readonly embedder: Embedder;
  readonly queries: QueryEmbeddings;
  readonly index: VectorIndex;
  readonly tools: EmbedTools;
  readonly asking: QuestionPolicy;
  /** The words of a query, Chinese ones in English as the dictionary has them; empty where there is none. */
  readonly inEnglish: (query: string) => string;
}

export interface RerankingLeg {
  readonly reranker: Reranker;
  readonly model: BudgetedModel;
  /** 0 to 1: the part of the score that it makes. */
  readonly share: number;
}

export interface Found {
  readonly found: readonly FoundByIndex[];
  /** A model that is configured took no part in the answer. */
  readonly degraded: boolean;
}

/** The search of the catalogue with the models that the operator configured, and without them when they are late. */
export class SemanticSearch implements BeforeApplicationShutdown {
  constructor(
    private readonly catalogue: CatalogueCopy,
    private readonly embedding: EmbeddingLeg | undefined,
    private readonly reranking: RerankingLeg | undefined,
    private readonly metrics: SemanticMetrics | undefined,
  ) {}

  /** Hears of every tool that comes, changes or goes. */
  changed(before: KnownTool | undefined, after: ToolContract | undefined): void {
    this.embedding?.tools.changed(before, after);
  }

  /** From the load of the catalogue on. */
  start(): void {
    this.embedding?.tools.start();
  }

  /** Notes that the configured model is in use, and removes the vectors of models that no replica has used for long. */
  async keepModel(): Promise<void> {
    await this.embedding?.tools.keepModel();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.embedding?.tools.stop();
    await this.embedding?.embedder.close();
    await this.reranking?.reranker.close();
  }

  /** Best first. Never waits longer for models than their budgets. */
  async search(query: string, limit: number): Promise<Found> {
    const { embedding, reranking, catalogue } = this;
    // A query without a word means nothing, whatever a model makes of it.
    if (!this.isToolId(query) && queryTerms(query, 1).length === 0) return { found: [], degraded: false };
    const question = embedding === undefined ? undefined : modelQuestion(query, embedding.asking, embedding.inEnglish);
    if ((question === undefined && reranking === undefined) || this.isToolId(query)) {
      return { found: await catalogue.search(query, limit), degraded: false };
    }
    const asks = embedding !== undefined && question !== undefined;
    const evidence = asks ? await this.evidence(embedding, question) : undefined;
    const wide = reranking === undefined ? limit : Math.max(limit, RERANKED_HITS);
    const found = await catalogue.search(query, wide, evidence);
    const judged = reranking === undefined ? found : await this.rerank(reranking, query, found);
    const degraded = (asks && evidence === undefined) || judged === undefined;
    if (degraded) this.metrics?.degraded();
    return { found: (judged ?? found).slice(0, limit), degraded };
  }

  /** The tools that are nearest to a query by words and word vectors, best first, whether they fit or not. */
  async nearest(query: string, limit: number): Promise<ToolContract[]> {
    return queryTerms(query, 1).length === 0 ? [] : this.catalogue.nearest(query, limit);
  }

  private isToolId(query: string): boolean {
    return this.catalogue.known(query.trim().normalize('NFKC').toLowerCase()) !== undefined;
  }

  private async evidence(
    { index, queries }: EmbeddingLeg,
    { text, policy }: ModelQuestion,
  ): Promise<SemanticEvidence | undefined> {
    const outcome = await queries.of(text);
    // No vectors yet, or a model that was exchanged for one of other dimensions under the same name.
    const usable = outcome.status !== 'answered' || outcome.value.length === index.dimensions;
    this.metrics?.asked('embedding', usable ? outcome.status : 'unusable');
    if (outcome.status !== 'answered' || !usable) return undefined;
    return semanticEvidence(index.nearest(outcome.value, NEIGHBOURS), policy);
  }

  private async rerank(
    { reranker, model, share }: RerankingLeg,
    query: string,
    found: readonly FoundByIndex[],
  ): Promise<readonly FoundByIndex[] | undefined> {
    if (found.length < 2) return found;
    const documents = found.slice(0, RERANKED_HITS).map(({ tool }) => toolText(tool));
    const outcome = await model.ask(() => reranker.rerank(query, documents));
    this.metrics?.asked('reranker', outcome.status);
    if (outcome.status !== 'answered') return undefined;
    const tools = new Map(found.map(({ tool }) => [tool.toolId, tool]));
    const hits = rerankOrder(
      found.map(({ hit }) => hit),
      outcome.value,
      share,
    );
    return hits.flatMap((hit) => {
      const tool = tools.get(hit.toolId);
      return tool === undefined ? [] : [{ tool, hit }];
    });
  }
}
