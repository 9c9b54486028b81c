import type { Clock } from '@capability-router/kernel';
import {
  CLOCK,
  COMMITTED,
  CONFIG,
  ImportEnded,
  LOGGER,
  requestsUnderWay,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ImportOptions, ImportSummary } from './catalogue-import.js';
import type { ReportLine } from './import-session.js';
import type { ImportStep } from './thread/import-calls.js';
import { ImportPace } from './import-pace.js';
import { ImportThread } from './thread/import-thread.js';

/** Milliseconds after the last import until its thread ends. */
const IDLE_MS = 10_000;

/** Imports of the catalogue. They work in a thread that is there for as long as there are any. */
@Injectable()
export class ImportCatalogue implements OnApplicationShutdown {
  private thread: ImportThread | undefined;
  private running = 0;
  private begun = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: { readonly databaseUrl: string },
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
  ) {}

  /** As `CatalogueImport`: a line for each row, and the summary. Ends early where its reader does. */
  async *run(chunks: AsyncIterable<Buffer>, options: ImportOptions): AsyncGenerator<ReportLine | ImportSummary> {
    clearTimeout(this.idle);
    this.running += 1;
    this.begun += 1;
    const id = this.begun;
    const thread = this.open();
    const pace = new ImportPace(requestsUnderWay);
    try {
      await thread.begin(id, options);
      let before: Promise<ImportStep> | undefined;
      for await (const chunk of chunks) {
        const step = thread.push(id, chunk, this.clock.nowMs());
        // It is awaited after the next chunk is on its way; until then its failure is nobody's.
        step.catch(() => undefined);
        if (before !== undefined) yield* linesOf(await before);
        before = step;
        await pace.next();
      }
      if (before !== undefined) yield* linesOf(await before);
      yield* linesOf(await thread.finish(id, this.clock.nowMs()));
    } finally {
      await thread.leave(id);
      this.committed();
      this.running -= 1;
      if (this.running === 0) this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.close();
  }

  private open(): ImportThread {
    if (this.thread === undefined || this.thread.hasEnded) {
      this.thread = new ImportThread({
        databaseUrl: this.config.databaseUrl,
        applicationName: 'registry',
        committed: this.committed,
        onFault: (err) => this.logger.error({ err }, 'a process that reads documents of an import failed'),
      });
    }
    return this.thread;
  }

  private async close(): Promise<void> {
    const { thread } = this;
    this.thread = undefined;
    await thread?.close();
  }
}

function* linesOf({ lines, end }: ImportStep): Generator<ReportLine | ImportSummary> {
  yield* lines;
  if (end !== undefined) throw end.expected ? new ImportEnded(end.message) : end.error;
}
