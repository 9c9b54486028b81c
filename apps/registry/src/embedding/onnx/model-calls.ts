import type { EmbedKind } from '../embedder.js';

/** The data with which the thread is started. */
export interface OnnxSettings {
  readonly directory: string;
  /** Holds the runtime in its `node_modules`; beside the service where absent. */
  readonly runtimeDirectory?: string;
  readonly pooling: 'mean' | 'cls';
  readonly maxTokens: number;
}

/** Calls of the service to the thread of a model. */
export interface ModelCalls {
  /** Rejects with what is wrong with the model. It comes before every other call. */
  load(): Promise<void>;
  /** Somebody waits for a query; documents wait for them. */
  embed(texts: readonly string[], kind: EmbedKind): Promise<readonly Float32Array[]>;
}
