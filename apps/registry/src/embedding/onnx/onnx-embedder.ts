import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { createBirpc, type BirpcReturn } from 'birpc';
import { ModelError, type Embedder, type EmbedKind } from '../embedder.js';
import { modelKeyOf, usable } from '../http/openai-embedder.js';
import type { ModelCalls, OnnxSettings } from './model-calls.js';

/** Always the built file: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../../dist/embedding/onnx/worker.js', import.meta.url);
/** Milliseconds that a model may take to load. */
const START_TIMEOUT_MS = 120_000;

export interface OnnxEmbedderOptions extends OnnxSettings {
  readonly prefixes: Readonly<Record<EmbedKind, string>>;
}

/** Tools that are claimed, computed and stored together: it saves questions to the database, and the model still takes one by one. */
const BATCH_TOOLS = 16;

/** A model in a thread of this process. It computes one text after the other; a query waits for one tool at most. */
export class OnnxEmbedder implements Embedder {
  readonly maxBatch = BATCH_TOOLS;
  private readonly rpc: BirpcReturn<ModelCalls, object>;
  private dead: ModelError | undefined;

  private constructor(
    readonly modelKey: string,
    private readonly thread: Worker,
    private readonly prefixes: OnnxEmbedderOptions['prefixes'],
  ) {
    this.rpc = createBirpc<ModelCalls, object>(
      {},
      { post: (message) => thread.postMessage(message), on: (hear) => void thread.on('message', hear), timeout: -1 },
    );
    thread.once('error', (cause) => this.die(cause));
    thread.once('exit', () => this.die(undefined));
  }

  /** Loads the model. Rejects with an error that says what is missing. */
  static async open({ prefixes, ...settings }: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
    // One after the other, so that where both are missing the same one is named every time.
    const model = await digestOf(settings.directory, 'model.onnx');
    const tokenizer = await digestOf(settings.directory, 'tokenizer.json');
    const parts = [model, tokenizer, settings.pooling, settings.maxTokens, prefixes.document];
    const modelKey = modelKeyOf('onnx', basename(settings.directory), parts);
    const opened = new OnnxEmbedder(modelKey, new Worker(workerFile, { workerData: settings }), prefixes);
    try {
      await opened.load();
    } catch (cause) {
      await opened.close();
      throw new Error(`the ONNX model cannot be used: ${messageOf(cause)}`, { cause });
    }
    return opened;
  }

  async embed(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]> {
    const { dead } = this;
    if (dead !== undefined) throw dead;
    const prefixed = texts.map((text) => this.prefixes[kind] + text);
    const vectors = await this.rpc.embed(prefixed, kind).catch((error: unknown) => {
      if (error instanceof ModelError) throw error;
      throw new ModelError('refused', `the ONNX model failed on a text: ${messageOf(error)}`);
    });
    // Copied, because arrays of a message need not be of this realm, and the native index takes no others.
    return vectors.map((vector) => usable(Float32Array.from(vector)));
  }

  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private async load(): Promise<void> {
    const late = setTimeout(() => this.die(new Error('it took too long to load')), START_TIMEOUT_MS);
    try {
      await this.rpc.load();
    } catch (error) {
      // Whoever starts the service reads why the thread ended rather than that it did.
      if (error !== this.dead) throw error;
      const reason = this.dead?.options.cause;
      throw reason instanceof Error ? reason : new Error('its thread ended while it was loaded');
    } finally {
      clearTimeout(late);
    }
    // From now on it keeps no process alive.
    this.thread.unref();
  }

  private die(cause: unknown): void {
    if (this.dead !== undefined) return;
    this.dead = new ModelError('unavailable', 'the thread of the ONNX model ended; restart the service', { cause });
    this.rpc.$close(this.dead);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** SHA-256 of a file; other content is another model, whatever the directory is called. */
async function digestOf(directory: string, name: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(join(directory, name)), hash);
  } catch (cause) {
    throw new Error(`SEARCH_EMBEDDING_ONNX_DIR: ${join(directory, name)} cannot be read`, { cause });
  }
  return hash.digest('hex');
}
