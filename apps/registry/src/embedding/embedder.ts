/** Numbers in a vector. Models have at most 4,096; more is a mistake, and 200,000 tools would not fit. */
export const MAX_DIMENSIONS = 4_096;

export type EmbedKind = 'query' | 'document';

/** Port to whatever turns texts into vectors. */
export interface Embedder {
  /**
   * Names the model and everything that its document vectors depend on: vectors of different keys are never compared. At
   * most 200 characters.
   */
  readonly modelKey: string;
  /** Texts of one call at most. */
  readonly maxBatch: number;
  /** One vector per text, in their order, all of the same dimensions. Rejects with `ModelError`. */
  embed(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Port to whatever judges how well documents serve a query. */
export interface Reranker {
  /** One score per document, in their order; higher is better, and nothing else is known of the scale. Rejects with `ModelError`. */
  rerank(query: string, documents: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}

export type ModelFault =
  /** The model does not accept the request; the same again will not be accepted either. */
  | 'refused'
  /** The model cannot be asked now; the same request may be answered later. */
  | 'unavailable'
  /** The answer does not have the agreed form. */
  | 'bad_answer';

/** A model did not answer. The message is for the operator and holds neither a text nor a key. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly fault: ModelFault,
    message: string,
    /** `retryAfterMs`: what the model asked for. */
    readonly options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
