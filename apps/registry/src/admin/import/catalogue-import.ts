import type { Clock } from '@capability-router/kernel';
import {
  NdjsonReader,
  syntaxFault,
  YamlReader,
  type ParsedRow,
  type Row,
  type YamlPool,
} from '@capability-router/provider-kit/documents';
import { FairTurns, ImportEnded, type ImportFormat } from '@capability-router/service-kit/thread';
import type pg from 'pg';
import { applyCatalogue } from '../../catalogue/apply-catalogue.js';
import { MANIFEST_SOURCE } from '../../catalogue/domain/catalogue-source.js';
import { refreshTools } from '../../catalogue/refresh-tools.js';
import { ImportSession, MAX_ROW_VALUES, type Batch, type ReportLine } from './import-session.js';

/** Rows of one import; what comes after them is not read. */
export const MAX_IMPORT_ROWS = 500_000;

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

/** Everything an import works with. */
export interface ImportParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** To be called after a commit, so that readers of the events look at once. */
  readonly committed: () => void;
  readonly yaml: YamlPool;
}

/**
 * One import. It brings rows into the catalogue, a short transaction at a time, and says of each what became of it; last comes the
 * summary. A broken row stops no other. While a batch is written, the next is read: never more than two are in memory. What was
 * written stays where an import breaks off, and doing it again goes on from there.
 */
export class CatalogueImport {
  private readonly startedMs = performance.now();
  private readonly session = new ImportSession();
  private readonly reader: NdjsonReader | YamlReader;
  private readonly turns = new FairTurns();
  private writing: Promise<ReportLine[]> = Promise.resolve([]);

  constructor(
    private readonly parts: ImportParts,
    private readonly options: ImportOptions,
  ) {
    this.reader = options.format === 'yaml' ? new YamlReader() : new NdjsonReader();
  }

  /** Takes bytes in; gives what is to be reported by then. Throws `ImportEnded` after the last of the rows that are read. */
  async *push(chunk: Buffer): AsyncGenerator<ReportLine> {
    yield* this.take(this.reader.push(chunk));
  }

  /** Gives the rest of the report when there are no more bytes. */
  async *finish(): AsyncGenerator<ReportLine | ImportSummary> {
    const { session, options } = this;
    yield* this.take(this.reader.end());
    const refreshed = yield* this.complete();
    yield {
      summary: {
        rows: session.rows,
        dry_run: options.dryRun,
        results: session.counts,
        refreshed,
        elapsed_ms: Math.round(performance.now() - this.startedMs),
      },
    };
  }

  /** Resolves once nothing more is written. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async *take(rows: readonly Row[]): AsyncGenerator<ReportLine> {
    for (const row of rows) {
      await this.turns.next();
      if (this.session.rows >= MAX_IMPORT_ROWS) {
        // The import of the rest need not name what the tools of this one are to be brought up to.
        yield* this.complete();
        throw new TooManyRows();
      }
      yield* this.session.add(row, 'yaml' in row.content ? await this.parsed(row.content.yaml) : row.content);
      yield* this.writeFull(false);
    }
  }

  /** Writes and reports what has been read, and gives the number of other tools that were brought up to it. */
  private async *complete(): AsyncGenerator<ReportLine, number> {
    yield* this.writeFull(true);
    yield* await this.writing;
    return this.refresh();
  }

  /** Begins to write what is enough for a batch or, with `all`, whatever there is; gives what is to be reported of the batch before. */
  private async *writeFull(all: boolean): AsyncGenerator<ReportLine> {
    for (let batch = this.session.take(all); batch !== undefined; batch = this.session.take(all)) {
      yield* await this.writing;
      this.writing = this.writeBatch(batch);
      // It is awaited after the next batch is read; until then its failure is nobody's.
      this.writing.catch(() => undefined);
    }
  }

  private async parsed(text: string): Promise<ParsedRow> {
    const read = await this.parts.yaml.parse({ text, maxValues: MAX_ROW_VALUES });
    return 'problem' in read ? syntaxFault(read.problem) : read;
  }

  private async writeBatch(batch: Batch): Promise<ReportLine[]> {
    const { session } = this;
    const { dryRun } = this.options;
    const { pool, clock, committed } = this.parts;
    const overlay = dryRun ? { overlay: session.overlay } : {};
    const target = { source: MANIFEST_SOURCE, dryRun, published: session.published, ...overlay };
    const outcome = await applyCatalogue(pool, clock, batch.contents, target);
    if (!dryRun) committed();
    return session.report(batch, outcome);
  }

  private async refresh(): Promise<number> {
    const { session } = this;
    if (this.options.dryRun) return 0;
    const { pool, clock, committed } = this.parts;
    const refreshed = await refreshTools(pool, clock, {
      providerIds: session.savedProviders,
      categorySlugs: session.savedCategories,
    });
    if (refreshed > 0) committed();
    return refreshed;
  }
}

/** The import ends here; what was written stays. */
class TooManyRows extends ImportEnded {
  constructor() {
    super(`An import takes at most ${MAX_IMPORT_ROWS} rows. Send the rest as another one.`);
  }
}
