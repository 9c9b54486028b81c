import type { Clock } from '@capability-router/kernel';
import { ExpiringCache } from '@capability-router/service-kit';
import type { Embedder } from '../embedder.js';
import type { BudgetedModel, ModelOutcome } from './budgeted-model.js';

/** A model behind the same name may be exchanged; after this its vectors are asked for again. */
const KEPT_MS = 3_600_000;

/** Vectors of queries, remembered; a query that many ask at once is asked of the model once. */
export class QueryEmbeddings {
  private readonly cache: ExpiringCache<string, Float32Array>;
  private readonly underWay = new Map<string, Promise<Float32Array>>();

  constructor(
    private readonly embedder: Pick<Embedder, 'embed'>,
    private readonly model: BudgetedModel,
    cacheEntries: number,
    clock: Clock,
  ) {
    this.cache = new ExpiringCache(cacheEntries, clock);
  }

  /** Never rejects. */
  async of(query: string): Promise<ModelOutcome<Float32Array>> {
    const text = query.trim().normalize('NFKC');
    const known = this.cache.get(text);
    if (known !== undefined) return { status: 'answered', value: known };
    return this.model.ask(() => this.shared(text));
  }

  private shared(text: string): Promise<Float32Array> {
    const asked = this.underWay.get(text);
    if (asked !== undefined) return asked;
    const question = this.embed(text).finally(() => this.underWay.delete(text));
    this.underWay.set(text, question);
    return question;
  }

  private async embed(text: string): Promise<Float32Array> {
    const [vector] = await this.embedder.embed([text], 'query');
    if (vector === undefined) throw new Error('the embedder answered without a vector');
    this.cache.set(text, vector, KEPT_MS);
    return vector;
  }
}
