import type { EmbedKind } from '../embedder.js';

/** The data with which the thread is started. */
export interface OnnxSettings {
  readonly directory: string;
  /** Holds the runtime in its `node_modules`; beside the service where absent. */
  readonly runtimeDirectory?: string;
  readonly pooling: 'mean' | 'cls';
  readonly maxTokens: number;
}

export interface OnnxTask {
  readonly id: number;
  /** Somebody waits for a query; documents wait for them. */
  readonly kind: EmbedKind;
  readonly texts: readonly string[];
}

export type OnnxMessage =
  | { readonly kind: 'ready' }
  /** The model cannot be used at all. */
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
