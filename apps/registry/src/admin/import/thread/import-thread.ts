import { Worker } from 'node:worker_threads';
import { createBirpc, type BirpcReturn } from 'birpc';
import type { ImportCalls, ImportReports, ImportThreadData } from './import-calls.js';

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
  readonly calls: BirpcReturn<ImportCalls, ImportReports>;
  private readonly thread: Worker;
  private hasExited = false;

  constructor({ databaseUrl, applicationName, committed, onFault }: ImportThreadOptions) {
    const workerData: ImportThreadData = { databaseUrl, applicationName };
    this.thread = new Worker(workerFile, { workerData, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    this.thread.unref();
    this.calls = createBirpc<ImportCalls, ImportReports>(
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
      this.hasExited = true;
      this.calls.$close(new Error(`the thread of imports ended with ${code}`, { cause }));
    });
  }

  get hasEnded(): boolean {
    return this.hasExited;
  }

  /** Ends the thread once it has closed its connections; an import that is under way breaks off. */
  async close(): Promise<void> {
    if (!this.hasExited) await this.calls.close().catch(() => undefined);
    await this.thread.terminate();
  }
}
