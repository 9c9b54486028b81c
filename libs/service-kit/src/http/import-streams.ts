import { Readable } from 'node:stream';
import { AppError } from '@capability-router/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/**
 * Bytes of the report that wait for a caller who reads it only after having sent everything. Beyond it the import waits
 * for the caller.
 */
const REPORT_BUFFER_BYTES = 33_554_432;
/** Imports that one replica runs at a time. */
const MAX_CONCURRENT_IMPORTS = 2;

export type ImportFormat = 'ndjson' | 'yaml';

const formats: Readonly<Record<string, ImportFormat>> = {
  'application/x-ndjson': 'ndjson',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
};

/** Content types of rows, whose bodies controllers get as streams. */
export const importContentTypes = Object.keys(formats);

/** The import ends here, for a reason that its caller is told; what was written stays. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

/** Imports of rows: they come in as a stream, and a line of report for each goes out as one. */
export class ImportStreams {
  private running = 0;

  /** `what` is imported, in the log. */
  constructor(
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  /** The last line is what `lines` ends with, or says what went wrong. Throws `AppError` for what is not begun. */
  run(
    { body, headers }: FastifyRequest,
    reply: FastifyReply,
    lines: (rows: AsyncIterable<Buffer>, format: ImportFormat) => AsyncIterable<object>,
  ): void {
    const [contentType = ''] = (headers['content-type'] ?? '').split(';', 1);
    const format = formats[contentType.trim().toLowerCase()];
    if (format === undefined || !(body instanceof Readable)) {
      throw new AppError('unsupported_media_type', `Send the rows as one of: ${importContentTypes.join(', ')}.`);
    }
    if (this.running >= MAX_CONCURRENT_IMPORTS) {
      throw new AppError('service_unavailable', 'Other imports are running. Try again when they have ended.');
    }
    this.running += 1;
    // To destroy the body would close the connection on which the report is sent.
    const rows = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    const report = Readable.from(this.texts(lines(rows, format)), {
      objectMode: false,
      highWaterMark: REPORT_BUFFER_BYTES,
    });
    report.once('close', () => {
      this.running -= 1;
    });
    void reply.code(200).header('content-type', 'application/x-ndjson; charset=utf-8').send(report);
  }

  private async *texts(lines: AsyncIterable<object>): AsyncGenerator<string> {
    try {
      for await (const line of lines) yield `${JSON.stringify(line)}\n`;
    } catch (error) {
      const expected = error instanceof ImportEnded;
      if (!expected) this.logger.error({ err: error }, `an import of ${this.what} broke off`);
      const message = expected
        ? error.message
        : 'The import broke off. Rows reported so far were taken; send it again.';
      yield `${JSON.stringify({ error: { message } })}\n`;
    }
  }
}
