import { createInterface } from 'node:readline';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export interface ImportRun {
  readonly ms: number;
  readonly bytes: number;
  /** By result. */
  readonly results: Readonly<Record<string, number>>;
}

interface LastLine {
  readonly summary?: { readonly results: Readonly<Record<string, number>> };
  readonly error?: { readonly message: string };
}

/** Streams a body to the import and reads its report. Throws where it did not come to its end. */
export async function sendImport(
  target: { readonly origin: string; readonly adminKey: string },
  chunks: Iterable<Buffer>,
  query = '',
): Promise<ImportRun> {
  let bytes = 0;
  const counted = function* (): Generator<Buffer> {
    for (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const startedMs = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      `${target.origin}/admin/v1/catalog:import${query}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${target.adminKey}`, 'content-type': 'application/x-ndjson' },
      },
      resolve,
    );
    sent.on('error', reject);
    Readable.from(counted()).pipe(sent);
  });
  let last = '';
  for await (const line of createInterface({ input: response })) last = line;
  const { summary, error } = JSON.parse(last) as LastLine;
  if (response.statusCode !== 200 || summary === undefined) {
    throw new Error(`the import answered ${response.statusCode ?? 0}: ${error?.message ?? last}`);
  }
  return { ms: performance.now() - startedMs, bytes, results: summary.results };
}
