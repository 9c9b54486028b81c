import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { leavesBehind } from '../interruption.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/**
 * Writes a file that is there whole or not at all: until its end it has a name of its own, which a fault or Ctrl-C removes. A file that was there
 * before stays until then.
 * @throws CommandError where it cannot be written; what `chunks` throws is thrown as it is
 */
export async function saveAs(
  file: string,
  chunks: AsyncIterable<Uint8Array | string>,
  terminal: Terminal,
): Promise<void> {
  leavesBehind(terminal, `${file} is as it was before. Give the same command again.`);
  const part = `${file}.${randomUUID().slice(0, 8)}.part`;
  const discard = (): void => rmSync(part, { force: true });
  terminal.interrupted?.addEventListener('abort', discard, { once: true });
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part, { flags: 'wx' }));
    await rename(part, file);
  } catch (error) {
    discard();
    if (!isOfSystem(error)) throw error;
    throw new CommandError(exitCodes.usage, `${file} cannot be written: ${error.message}`);
  } finally {
    terminal.interrupted?.removeEventListener('abort', discard);
  }
}

const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;
