import { Worker } from 'node:worker_threads';
import { createBirpc, type BirpcReturn } from 'birpc';
import type { ImportOptions } from '../catalogue-import.js';
import type { ImportCalls, ImportReports, ImportStep, ImportThreadData } from './import-calls.js';

// The compiled file, also when this one runs from source.
const workerFile = new URL('../../../../dist/admin/import/thread/worker.js', import.meta.url);

/** Megabytes of JavaScript heap: imports that take more end the thread, and not the service. */
const MAX_HEAP_MB = 512;

export interface ImportThreadOptions extends ImportThreadData {
  readonly committed: () => void;
  /** Something failed that no import explains. */
  readonly onFault: (error: unknown) => void;
}

/** The thread in which imports work. It keeps no process alive. */
export class ImportThread {
  private readonly thread: Worker;
  private readonly rpc: BirpcReturn<ImportCalls, ImportReports>;
  private ended: Error | undefined;

  constructor({ databaseUrl, applicationName, committed, onFault }: ImportThreadOptions) {
    const workerData: ImportThreadData = { databaseUrl, applicationName };
    this.thread = new Worker(workerFile, { workerData, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    this.thread.unref();
    this.rpc = createBirpc<ImportCalls, ImportReports>(
      { committed, failed: onFault },
      {
        post: (message) => this.thread.postMessage(message),
        on: (hear) => void this.thread.on('message', hear),
        timeout: -1,
      },
    );
    let cause: unknown;
    this.thread.once('error', (error) => (cause = error));
    this.thread.once('exit', (code) => {
      this.ended = new Error(`the thread of imports ended with ${code}`, { cause });
      this.rpc.$close(this.ended);
    });
  }

  get hasEnded(): boolean {
    return this.ended !== undefined;
  }

  /** As those of `ImportCalls`. They reject where the thread has ended, with the reason. */
  async begin(id: number, options: ImportOptions): Promise<void> {
    return this.calls().begin(id, options);
  }

  async push(id: number, chunk: Uint8Array, nowMs: number): Promise<ImportStep> {
    return this.calls().push(id, chunk, nowMs);
  }

  async finish(id: number, nowMs: number): Promise<ImportStep> {
    return this.calls().finish(id, nowMs);
  }

  /** Resolves once the thread writes nothing more of this import; at once where it has ended. */
  async leave(id: number): Promise<void> {
    if (!this.hasEnded) await this.rpc.leave(id).catch(() => undefined);
  }

  /** Ends the thread once it has closed its connections; an import that is under way breaks off. */
  async close(): Promise<void> {
    if (!this.hasEnded) await this.rpc.close().catch(() => undefined);
    await this.thread.terminate();
  }

  private calls(): BirpcReturn<ImportCalls, ImportReports> {
    if (this.ended !== undefined) throw this.ended;
    return this.rpc;
  }
}
