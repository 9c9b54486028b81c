import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { UnreadableAnswerError } from './egress-error.js';

/** The encodings that we ask for and can read. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a body to its end, decompressed, and gives up as soon as it is known to pass `maxBytes`, packed or unpacked. A
 * body packed more than once is refused: nobody needs it, and bombs are made of it.
 */
export async function readBody(
  body: Readable,
  headers: { readonly encoding: string | undefined; readonly length: string | undefined },
  maxBytes: number,
): Promise<Buffer> {
  const encoding = headers.encoding?.trim().toLowerCase() ?? '';
  if (Number(headers.length) > maxBytes) throw giveUp(body, tooLarge(maxBytes));
  if (encoding === '' || encoding === 'identity') return collect(body, maxBytes);
  const unpacker = decoders[encoding]?.();
  if (unpacker === undefined) {
    throw giveUp(body, new UnreadableAnswerError('encoding', 'The answer has an unknown content encoding'));
  }
  // A failure on this side ends the unpacker with it, and is seen there.
  pipeline(Readable.from(atMost(body, maxBytes)), unpacker).catch(() => undefined);
  return collect(unpacker, maxBytes);
}

function giveUp(body: Readable, error: UnreadableAnswerError): UnreadableAnswerError {
  body.on('error', () => undefined).destroy();
  return error;
}

async function collect(chunks: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of atMost(chunks, maxBytes)) parts.push(chunk);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** Passes chunks on until they are too many. Leaving the loop ends the source. */
async function* atMost(chunks: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

const tooLarge = (maxBytes: number): UnreadableAnswerError =>
  new UnreadableAnswerError('too_large', `The answer is larger than ${maxBytes} bytes`);
