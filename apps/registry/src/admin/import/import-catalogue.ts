import type { Clock } from '@capability-router/kernel';
import {
  NdjsonReader,
  syntaxFault,
  YamlPool,
  YamlReader,
  type ParsedRow,
  type Row,
} from '@capability-router/provider-kit/documents';
import { CLOCK, COMMITTED, FairTurns, ImportEnded, POOL, type ImportFormat } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { applyCatalogue } from '../../catalogue/apply-catalogue.js';
import { refreshTools } from '../../catalogue/refresh-tools.js';
import { ImportSession, MAX_ROW_VALUES, type Batch, type ReportLine } from './import-session.js';

/** Rows of one import; what comes after them is not read. */
export const MAX_IMPORT_ROWS = 500_000;

/** The source of everything that administrators write by hand. */
export const MANIFEST_SOURCE = 'manifest';

export interface ImportOptions {
  readonly format: ImportFormat;
  readonly dryRun: boolean;
}

export interface ImportSummary {
  readonly summary: {
    readonly rows: number;
    readonly dry_run: boolean;
    /** By result: `created`, `changed`, `unchanged`, `invalid`, … */
    readonly results: Readonly<Record<string, number>>;
    /** Other tools that got a new version, because the provider or category that they show has changed. */
    readonly refreshed: number;
    readonly elapsed_ms: number;
  };
}

@Injectable()
export class ImportCatalogue {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(YamlPool) private readonly yaml: YamlPool,
  ) {}

  /**
   * Brings rows into the catalogue, a short transaction at a time, and says of each what became of it; last comes the
   * summary. A broken row stops no other. While a batch is written, the next is read: never more than two are in memory.
   * Ends early where its reader does; what was written stays, and doing it again goes on from there.
   */
  async *run(chunks: AsyncIterable<Buffer>, options: ImportOptions): AsyncGenerator<ReportLine | ImportSummary> {
    const startedMs = performance.now();
    const session = new ImportSession();
    const reader = options.format === 'yaml' ? new YamlReader() : new NdjsonReader();
    let writing: Promise<ReportLine[]> = Promise.resolve([]);
    const write = (batch: Batch): Promise<ReportLine[]> => {
      const lines = this.writeBatch(batch, session, options);
      // It is awaited after the next batch is read; until then its failure is nobody's.
      lines.catch(() => undefined);
      return lines;
    };
    const turns = new FairTurns();
    try {
      for await (const rows of rowsOf(chunks, reader)) {
        for (const row of rows) {
          await turns.next();
          if (session.rows >= MAX_IMPORT_ROWS) throw new TooManyRows();
          yield* session.add(row, 'yaml' in row.content ? await this.parsed(row.content.yaml) : row.content);
          for (let batch = session.take(false); batch !== undefined; batch = session.take(false)) {
            yield* await writing;
            writing = write(batch);
          }
        }
      }
      for (let batch = session.take(true); batch !== undefined; batch = session.take(true)) {
        yield* await writing;
        writing = write(batch);
      }
      yield* await writing;
    } finally {
      await writing.catch(() => undefined);
      this.committed();
    }
    const refreshed = await this.refresh(session, options);
    yield {
      summary: {
        rows: session.rows,
        dry_run: options.dryRun,
        results: session.counts,
        refreshed,
        elapsed_ms: Math.round(performance.now() - startedMs),
      },
    };
  }

  private async parsed(text: string): Promise<ParsedRow> {
    const read = await this.yaml.parse({ text, maxValues: MAX_ROW_VALUES });
    return 'problem' in read ? syntaxFault(read.problem) : read;
  }

  private async writeBatch(batch: Batch, session: ImportSession, { dryRun }: ImportOptions): Promise<ReportLine[]> {
    const overlay = dryRun ? { overlay: session.overlay } : {};
    const { published } = session;
    const target = { source: MANIFEST_SOURCE, dryRun, published, ...overlay };
    const outcome = await applyCatalogue(this.pool, this.clock, batch.contents, target);
    if (!dryRun) this.committed();
    return session.report(batch, outcome);
  }

  private async refresh(session: ImportSession, { dryRun }: ImportOptions): Promise<number> {
    if (dryRun) return 0;
    const refreshed = await refreshTools(this.pool, this.clock, {
      providerIds: session.changedProviders,
      categorySlugs: session.changedCategories,
    });
    if (refreshed > 0) this.committed();
    return refreshed;
  }
}

/** The import ends here; what was written stays. */
class TooManyRows extends ImportEnded {
  constructor() {
    super(`An import takes at most ${MAX_IMPORT_ROWS} rows. Send the rest as another one.`);
  }
}

async function* rowsOf(chunks: AsyncIterable<Buffer>, reader: NdjsonReader | YamlReader): AsyncGenerator<Row[]> {
  for await (const chunk of chunks) yield reader.push(chunk);
  yield reader.end();
}
