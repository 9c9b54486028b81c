import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { ModelError, type Embedder, type EmbedKind } from '../embedder.js';
import { modelKeyOf, usable } from '../http/openai-embedder.js';
import type { OnnxMessage, OnnxSettings, OnnxTask } from './messages.js';

/** Always the built file: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../../dist/embedding/onnx/worker.js', import.meta.url);
/** Milliseconds that a model may take to load. */
const START_TIMEOUT_MS = 120_000;

export interface OnnxEmbedderOptions extends OnnxSettings {
  readonly prefixes: Readonly<Record<EmbedKind, string>>;
}

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: ModelError): void;
}

/** Tools that are claimed, computed and stored together: it saves questions to the database, and the model still takes one by one. */
const BATCH_TOOLS = 16;

/** A model in a thread of this process. It computes one text after the other; a query waits for one tool at most. */
export class OnnxEmbedder implements Embedder {
  readonly maxBatch = BATCH_TOOLS;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;
  private dead: ModelError | undefined;

  private constructor(
    readonly modelKey: string,
    private readonly thread: Worker,
    private readonly prefixes: OnnxEmbedderOptions['prefixes'],
  ) {
    thread.on('message', (message: OnnxMessage) => this.hear(message));
    thread.on('error', (cause) => this.die(cause));
    thread.on('exit', () => this.die(undefined));
    thread.unref();
  }

  /** Loads the model. Rejects with an error that says what is missing. */
  static async open({ prefixes, ...settings }: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
    // One after the other, so that where both are missing the same one is named every time.
    const model = await digestOf(settings.directory, 'model.onnx');
    const tokenizer = await digestOf(settings.directory, 'tokenizer.json');
    const parts = [model, tokenizer, settings.pooling, settings.maxTokens, prefixes.document];
    const modelKey = modelKeyOf('onnx', basename(settings.directory), parts);
    const thread = new Worker(workerFile, { workerData: settings });
    try {
      await ready(thread);
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    return new OnnxEmbedder(modelKey, thread, prefixes);
  }

  async embed(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]> {
    const { dead } = this;
    if (dead !== undefined) throw dead;
    const id = this.nextId++;
    const vectors = await new Promise<readonly Float32Array[]>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const task: OnnxTask = { id, kind, texts: texts.map((text) => this.prefixes[kind] + text) };
      this.thread.postMessage(task);
    });
    // Copied, because arrays of a message need not be of this realm, and the native index takes no others.
    return vectors.map((vector) => usable(Float32Array.from(vector)));
  }

  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private hear(message: OnnxMessage): void {
    if (message.kind !== 'vectors' && message.kind !== 'failed') return;
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.kind === 'vectors') waiting?.resolve(message.vectors);
    else waiting?.reject(new ModelError('refused', `the ONNX model failed on a text: ${message.message}`));
  }

  private die(cause: unknown): void {
    this.dead ??= new ModelError('unavailable', 'the thread of the ONNX model ended; restart the service', { cause });
    for (const { reject } of this.waiting.values()) reject(this.dead);
    this.waiting.clear();
  }
}

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

function ready(thread: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', reject).off('exit', onExit);
      act();
    };
    const fail = (why: string): void => settle(() => reject(new Error(`the ONNX model cannot be used: ${why}`)));
    const onMessage = (message: OnnxMessage): void => {
      if (message.kind === 'ready') settle(resolve);
      else if (message.kind === 'unusable') fail(message.message);
    };
    const onExit = (): void => fail('its thread ended while it was loaded');
    const timer = setTimeout(() => fail('it took too long to load'), START_TIMEOUT_MS);
    thread.on('message', onMessage).on('error', reject).on('exit', onExit);
  });
}
