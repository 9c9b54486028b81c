import { createHash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { MAX_DIMENSIONS, ModelError, type Embedder, type EmbedKind } from '../embedder.js';
import { ModelEndpoint } from './model-endpoint.js';

export interface OpenAiEmbedderOptions {
  /** Up to and without `/embeddings`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Asked of models that can shorten their vectors, and demanded of the answer; what comes first decides where absent. */
  readonly dimensions?: number;
  readonly batchSize: number;
  readonly timeoutMs: number;
  /** Put before every text: some models are trained to be told which is which. */
  readonly prefixes: Readonly<Record<EmbedKind, string>>;
}

/** Any server with an `/embeddings` endpoint like OpenAI's: Ollama, vLLM, TEI, LocalAI, OpenAI itself. */
export class OpenAiEmbedder implements Embedder {
  readonly modelKey: string;
  readonly maxBatch: number;
  private readonly endpoint: ModelEndpoint;

  constructor(private readonly options: OpenAiEmbedderOptions) {
    const { baseUrl, apiKey, timeoutMs } = options;
    this.endpoint = new ModelEndpoint({
      url: `${baseUrl}/embeddings`,
      timeoutMs,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    this.modelKey = modelKeyOf('openai', options.model, [options.dimensions ?? 0, options.prefixes.document]);
    this.maxBatch = options.batchSize;
  }

  async embed(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]> {
    const { model, dimensions, prefixes } = this.options;
    const answer = await this.endpoint.post({
      model,
      input: texts.map((text) => prefixes[kind] + text),
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    });
    return readEmbeddings(answer, texts.length, dimensions);
  }

  close(): Promise<void> {
    return this.endpoint.close();
  }
}

/** The server's address is no part of it: moving a server must not make every tool be embedded again. */
export function modelKeyOf(kind: string, model: string, parts: readonly (string | number)[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([model, ...parts]))
    .digest('hex')
    .slice(0, 16);
  return `${kind}:${model.slice(0, 120)}:${digest}`;
}

/** Throws `ModelError` for whatever is not one usable vector per text. `dimensions`: demanded of each. */
function readEmbeddings(answer: JsonValue, count: number, dimensions?: number): Float32Array[] {
  const data = isJsonObject(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) throw bad(`not ${count} embeddings`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach((entry, place) => {
    const { index = place, embedding } = isJsonObject(entry) ? entry : {};
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined) throw bad('a wrong index');
    vectors[index] = readVector(embedding, dimensions);
  });
  const [first] = vectors;
  return vectors.map((vector) => {
    if (vector === undefined || vector.length !== first?.length) throw bad('embeddings of different dimensions');
    return vector;
  });
}

function readVector(value: JsonValue | undefined, dimensions: number | undefined): Float32Array {
  if (!Array.isArray(value)) throw bad('an embedding that is no list');
  if (value.length === 0 || value.length > MAX_DIMENSIONS || value.length !== (dimensions ?? value.length)) {
    throw bad(`an embedding of ${value.length} dimensions`);
  }
  const vector = Float32Array.from(value, (component) => (typeof component === 'number' ? component : Number.NaN));
  return usable(vector);
}

/** Throws `ModelError` for a vector that points nowhere. */
export function usable(vector: Float32Array): Float32Array {
  const square = vector.reduce((sum, component) => sum + component * component, 0);
  if (!Number.isFinite(square) || square === 0) throw bad('an embedding without direction');
  return vector;
}

const bad = (what: string): ModelError => new ModelError('bad_answer', `the model answered ${what}`);
