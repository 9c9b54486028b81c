import { Gateway, type GlobalOptions } from '../gateway/gateway.js';
import { refusalOf } from '../gateway/refusal.js';
import { startProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { saveAs } from './save-as.js';

/**
 * Saves a CSV export of the own account, of any size.
 * @param path with its query, below the base path of the interface
 * @throws CommandError where it is not there whole
 */
export async function exportCsv(path: string, file: string, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const gateway = Gateway.from(global, terminal);
  const { response, chunks } = await gateway.open('GET', `/api/v1${path}`);
  if (!response.ok) throw await refusalOf(gateway, { response, chunks });
  if (response.headers.get('content-type')?.startsWith('text/csv') !== true) throw gateway.noGateway(response.status);
  const progress = await startProgress(terminal, global, { unit: 'bytes' });
  let bytes = 0;
  const reported = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      progress.report(bytes);
      yield chunk;
    }
  };
  try {
    await saveAs(file, reported(), terminal);
  } finally {
    progress.end();
  }
  terminal.out(global.json === true ? JSON.stringify({ file, bytes }) : `${file}: ${bytes} bytes`);
}
