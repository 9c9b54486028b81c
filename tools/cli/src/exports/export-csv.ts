import { text as textOf } from 'node:stream/consumers';
import { Gateway, objectIn, type GlobalOptions } from '../gateway/gateway.js';
import { refusal } from '../gateway/refusal.js';
import { leavesBehind } from '../interruption.js';
import { startProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { saveAs } from './save-as.js';

/**
 * Saves a CSV export of the own account, of any size.
 * @param path with its query, below the base path of the interface
 * @throws CommandError where it is not there whole
 */
export async function exportCsv(path: string, file: string, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const { response, chunks } = await Gateway.from(global, terminal).open('GET', `/api/v1${path}`);
  if (!response.ok) throw refusal(response.status, objectIn(await textOf(chunks)) ?? {});
  const progress = await startProgress(terminal, global, { unit: 'bytes' });
  leavesBehind(terminal, `There is no ${file} yet: give the same command again.`);
  let bytes = 0;
  const reported = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      progress.report(bytes);
      yield chunk;
    }
  };
  try {
    await saveAs(file, reported());
  } finally {
    progress.end();
  }
  terminal.out(global.json === true ? JSON.stringify({ file, bytes }) : `${file}: ${bytes} bytes`);
}
