import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { ModelError, type Reranker } from '../embedder.js';
import { ModelEndpoint } from './model-endpoint.js';

export interface HttpRerankerOptions {
  /** Up to and without `/rerank`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly timeoutMs: number;
}

/** Any server with a `/rerank` endpoint like Jina's and Cohere's: vLLM, TEI behind a gateway, LocalAI, those two. */
export class HttpReranker implements Reranker {
  private readonly endpoint: ModelEndpoint;

  constructor(private readonly options: HttpRerankerOptions) {
    const { baseUrl, apiKey, timeoutMs } = options;
    this.endpoint = new ModelEndpoint({
      url: `${baseUrl}/rerank`,
      timeoutMs,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  }

  async rerank(query: string, documents: readonly string[]): Promise<number[]> {
    const answer = await this.endpoint.post({
      model: this.options.model,
      query,
      documents: [...documents],
      top_n: documents.length,
      return_documents: false,
    });
    return readScores(answer, documents.length);
  }

  close(): Promise<void> {
    return this.endpoint.close();
  }
}

/** Throws `ModelError` unless every document has exactly one finite score. */
function readScores(answer: JsonValue, count: number): number[] {
  const results = isJsonObject(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results) || results.length !== count) throw bad(`not ${count} scores`);
  const scores = new Array<number | undefined>(count).fill(undefined);
  for (const entry of results) {
    const { index, relevance_score: score } = isJsonObject(entry) ? entry : {};
    if (typeof index !== 'number' || !(index in scores) || scores[index] !== undefined) throw bad('a wrong index');
    if (typeof score !== 'number' || !Number.isFinite(score)) throw bad('a score that is no number');
    scores[index] = score;
  }
  return scores.map((score) => score ?? 0);
}

const bad = (what: string): ModelError => new ModelError('bad_answer', `the reranker answered ${what}`);
