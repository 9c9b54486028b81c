import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, exitCodes } from '../terminal.js';

/**
 * Writes a file that is there whole or not at all: until its end it has the name `<file>.part`, which a fault removes.
 * @throws CommandError where it cannot be written; what `chunks` throws is thrown as it is
 */
export async function saveAs(file: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.usage, `${file} cannot be written: ${why}`);
  }
}
