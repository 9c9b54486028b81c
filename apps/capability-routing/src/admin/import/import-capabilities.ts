import type { Clock } from '@capability-router/kernel';
import {
  NdjsonReader,
  syntaxFault,
  YamlPool,
  YamlReader,
  type ParsedRow,
  type Row,
} from '@capability-router/provider-kit/documents';
import { CLOCK, COMMITTED, ImportEnded, POOL, type ImportFormat } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Expressions } from '../../expressions/expressions.js';
import { applyCapabilities, MAX_BATCH_CAPABILITIES, type ApplyOptions } from '../apply-capabilities.js';
import { MAX_CAPABILITY_VALUES } from '../manifest/read-capability.js';
import { ImportSession, type ReportLine } from './import-session.js';

/** Rows of one import; what comes after them is not read. */
export const MAX_IMPORT_ROWS = 10_000;

export interface ImportSummary {
  readonly summary: {
    readonly rows: number;
    readonly dry_run: boolean;
    /** By result: `created`, `changed`, `unchanged`, `invalid`, `refused`. */
    readonly results: Readonly<Record<string, number>>;
    readonly elapsed_ms: number;
  };
}

@Injectable()
export class ImportCapabilities {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(YamlPool) private readonly yaml: YamlPool,
    @Inject(Expressions) private readonly expressions: Expressions,
  ) {}

  /**
   * Makes contracts what rows say, a short transaction at a time, and says of each what became of it; last comes the summary. A broken
   * row stops no other. Ends early where its reader does; what was written stays, and doing it again goes on from there.
   */
  async *run(
    chunks: AsyncIterable<Buffer>,
    format: ImportFormat,
    options: ApplyOptions,
  ): AsyncGenerator<ReportLine | ImportSummary> {
    const startedMs = performance.now();
    const session = new ImportSession();
    for await (const row of rowsOf(chunks, format)) {
      if (session.rows >= MAX_IMPORT_ROWS) {
        throw new ImportEnded(`An import takes at most ${MAX_IMPORT_ROWS} rows. Send the rest as another one.`);
      }
      yield* session.add(row, 'yaml' in row.content ? await this.parsed(row.content.yaml) : row.content);
      if (session.waiting >= MAX_BATCH_CAPABILITIES) yield* await this.write(session, options);
    }
    yield* await this.write(session, options);
    const elapsedMs = Math.round(performance.now() - startedMs);
    const { rows, counts } = session;
    yield { summary: { rows, dry_run: options.dryRun, results: counts, elapsed_ms: elapsedMs } };
  }

  private async write(session: ImportSession, options: ApplyOptions): Promise<ReportLine[]> {
    const items = session.take();
    if (items.length === 0) return [];
    const written = items.map(({ capability }) => capability);
    const outcomes = await applyCapabilities(this.pool, this.clock, this.expressions, written, options);
    if (!options.dryRun) this.committed();
    return session.report(items, outcomes);
  }

  private async parsed(text: string): Promise<ParsedRow> {
    const read = await this.yaml.parse({ text, maxValues: MAX_CAPABILITY_VALUES });
    return 'problem' in read ? syntaxFault(read.problem) : read;
  }
}

async function* rowsOf(chunks: AsyncIterable<Buffer>, format: ImportFormat): AsyncGenerator<Row> {
  const reader = format === 'yaml' ? new YamlReader() : new NdjsonReader();
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}
