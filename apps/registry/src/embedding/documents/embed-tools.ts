import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolContract } from '@capability-router/contracts';
import type { BusLogger } from '@capability-router/event-bus';
import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import { toolText } from '../domain/tool-text.js';
import { ModelError, type Embedder } from '../embedder.js';
import { packVector } from '../vectors/packed-vector.js';
import type { VectorIndex } from '../vectors/vector-index.js';
import {
  claimEmbeddings,
  findEmbeddings,
  keepModel,
  releaseEmbeddings,
  saveEmbeddings,
  type StoredEmbedding,
  type ToolText,
} from './tool-embeddings.sql.js';

/** Tools looked at in one step. */
const STEP_TOOLS = 256;
/** Vectors put into the index without a pause in between: searches wait meanwhile. */
const PUT_CHUNK = 4;
/** Milliseconds until work that another replica claimed is looked at again. */
const IDLE_MS = 1_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;

export type EmbeddingSource = 'stored' | 'computed' | 'refused' | 'failed';

export interface EmbedToolsParts {
  readonly pool: pg.Pool;
  readonly embedder: Embedder;
  readonly index: VectorIndex;
  readonly logger: Pick<BusLogger, 'warn'>;
  /** Milliseconds from one request of the model to the next. */
  readonly pauseMs: number;
  readonly onTools: (source: EmbeddingSource, count: number) => void;
  /** Default 500. */
  readonly firstBackoffMs?: number;
}

interface Wanted extends ToolText {
  readonly tool: ToolContract;
  readonly text: string;
}

/**
 * Gives every published tool its vector, in the background. What any replica ever computed of a text is taken from the
 * table; the rest is claimed there first, so that no two replicas pay for the same text.
 */
export class EmbedTools {
  private readonly pending = new Map<string, ToolContract>();
  /** By tool, the hash of the text whose vector the index holds. */
  private readonly indexed = new Map<string, string>();
  private readonly stopping = new AbortController();
  private awake = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failures = 0;

  constructor(private readonly parts: EmbedToolsParts) {}

  /** Tools whose vector is not there yet. */
  get waiting(): number {
    return this.pending.size;
  }

  /** Hears of every tool that comes, changes or goes. */
  changed(before: Pick<ToolContract, 'toolId'> | undefined, after: ToolContract | undefined): void {
    if (after !== undefined) this.pending.set(after.toolId, after);
    else if (before !== undefined) {
      this.pending.delete(before.toolId);
      this.indexed.delete(before.toolId);
      this.parts.index.remove(before.toolId);
    }
    this.awake.abort();
  }

  start(): void {
    this.running = this.run();
  }

  /** Waits for the work in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.awake.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.awake = new AbortController();
      try {
        if (!(await this.step())) await delay(IDLE_MS, AbortSignal.any([this.awake.signal, this.stopping.signal]));
        this.failures = 0;
      } catch (error) {
        await this.backOff(error);
      }
    }
  }

  /** Full jitter: replicas that failed together do not come back together. */
  private async backOff(error: unknown): Promise<void> {
    const longest = Math.min(MAX_BACKOFF_MS, (this.parts.firstBackoffMs ?? FIRST_BACKOFF_MS) * 2 ** this.failures);
    this.failures = Math.min(this.failures + 1, 20);
    const asked = error instanceof ModelError ? (error.options.retryAfterMs ?? 0) : 0;
    const waitMs = Math.round(asked + longest * (0.5 + Math.random() / 2));
    this.parts.logger.warn({ err: error, waitMs, waiting: this.waiting }, 'embedding tools failed; tries again');
    await delay(waitMs, this.stopping.signal);
  }

  /** Keeps the vectors of the model in use, and removes those of models that no replica has used for long. */
  async keepModel(): Promise<void> {
    await keepModel(this.parts.pool, this.parts.embedder.modelKey);
  }

  /** False when there is nothing to do for now. */
  private async step(): Promise<boolean> {
    const { pool, embedder } = this.parts;
    const wanted = this.take();
    if (wanted.length === 0) return this.pending.size > 0;
    const stored = await findEmbeddings(pool, embedder.modelKey, wanted);
    await this.put(stored, wanted, 'stored');
    const known = new Set(stored.map(({ toolId }) => toolId));
    const missing = wanted.filter(({ toolId }) => !known.has(toolId)).slice(0, embedder.maxBatch);
    if (missing.length === 0) return true;
    const claimed = await claimEmbeddings(pool, embedder.modelKey, missing);
    const ours = missing.filter(({ toolId }) => claimed.has(toolId));
    // Texts that another replica computes go to the end of the line, so that they do not hold up the rest.
    for (const { toolId, tool } of missing) if (!claimed.has(toolId)) this.requeue(toolId, tool);
    if (ours.length === 0) return stored.length > 0;
    await this.compute(ours);
    await delay(this.parts.pauseMs, this.stopping.signal);
    return true;
  }

  /** The first in line; what is indexed already leaves it. */
  private take(): Wanted[] {
    const wanted: Wanted[] = [];
    for (const [toolId, tool] of this.pending) {
      if (wanted.length >= STEP_TOOLS) break;
      const text = toolText(tool);
      const contentHash = createHash('sha256').update(text).digest('hex');
      if (this.indexed.get(toolId) === contentHash) this.pending.delete(toolId);
      else wanted.push({ toolId, contentHash, tool, text });
    }
    return wanted;
  }

  private requeue(toolId: string, tool: ToolContract): void {
    if (this.pending.get(toolId) !== tool) return;
    this.pending.delete(toolId);
    this.pending.set(toolId, tool);
  }

  /** Embeds what is claimed. A text that the model refuses must not stand in the way of those beside it. */
  private async compute(wanted: readonly Wanted[]): Promise<void> {
    const { pool, embedder, onTools, logger } = this.parts;
    try {
      const vectors = await embedder.embed(
        wanted.map(({ text }) => text),
        'document',
      );
      const embeddings = wanted.flatMap(({ toolId, contentHash }, place) => {
        const vector = vectors[place];
        return vector === undefined ? [] : [{ toolId, contentHash, vector: packVector(vector) }];
      });
      await saveEmbeddings(pool, embedder.modelKey, embeddings);
      await this.put(embeddings, wanted, 'computed');
    } catch (error) {
      if (!(error instanceof ModelError && error.fault === 'refused')) {
        onTools('failed', wanted.length);
        await releaseEmbeddings(pool, embedder.modelKey, wanted, 'failed');
        throw error;
      }
      if (wanted.length > 1) {
        const half = Math.ceil(wanted.length / 2);
        await this.compute(wanted.slice(0, half));
        await this.compute(wanted.slice(half));
        return;
      }
      await releaseEmbeddings(pool, embedder.modelKey, wanted, 'refused');
      for (const { toolId, tool } of wanted) this.leave(toolId, tool);
      onTools('refused', 1);
      logger.warn({ err: error, toolId: wanted[0]?.toolId }, 'the model refuses the text of a tool; it stays lexical');
    }
  }

  private async put(
    embeddings: readonly StoredEmbedding[],
    wanted: readonly Wanted[],
    source: EmbeddingSource,
  ): Promise<void> {
    const { index, logger, onTools } = this.parts;
    const contracts = new Map(wanted.map(({ toolId, tool }) => [toolId, tool]));
    for (const [place, { toolId, contentHash, vector }] of embeddings.entries()) {
      if (place > 0 && place % PUT_CHUNK === 0) await nextTurn();
      const tool = contracts.get(toolId);
      // Another contract came, or the tool went, while its vector was under way.
      if (tool === undefined || this.pending.get(toolId) !== tool) continue;
      this.pending.delete(toolId);
      this.indexed.set(toolId, contentHash);
      if (index.put(toolId, vector)) continue;
      const dimensions = { got: vector.length, wanted: index.dimensions };
      logger.warn({ toolId, ...dimensions }, 'a vector has other dimensions than the rest; name another model');
    }
    if (embeddings.length > 0) onTools(source, embeddings.length);
  }

  private leave(toolId: string, tool: ToolContract): void {
    if (this.pending.get(toolId) === tool) this.pending.delete(toolId);
  }
}
