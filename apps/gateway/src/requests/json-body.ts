import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  AppError,
  hasWiderObject,
  isNestedDeeper,
  memberFault,
  tooDeepMessage,
  tooWideMessage,
} from '@capability-router/kernel';

/** Bytes of the body of a refused search that are looked at: a query has at most 2,000 characters. */
const MAX_REFUSED_BYTES = 16_384;
/** Milliseconds for which that body is waited for. */
const REFUSED_BODY_MS = 1_000;

/**
 * Bodies must be readable JSON in UTF-8 of few levels that says everything once, and are passed on as the bytes that came:
 * who reads them next must not read something else. What they must contain is for the services to say.
 */
export function acceptJsonBytes(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) done(null, bytes);
    else if (isEncoded(request)) done(new AppError('unsupported_media_type', encodedMessage), undefined);
    else if (isNestedDeeper(bytes)) done(new AppError('invalid_json', tooDeepMessage), undefined);
    else if (hasWiderObject(bytes)) done(new AppError('invalid_json', tooWideMessage), undefined);
    else {
      const fault = faultOf(bytes);
      if (fault === undefined) done(null, bytes);
      else done(fault, undefined);
    }
  });
}

/** Compressed, say: nothing here undoes that, and no service is told of it. */
export function isEncoded({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

export const encodedMessage = 'Send the body without Content-Encoding.';

function faultOf(bytes: Buffer): AppError | undefined {
  if (!isUtf8(bytes)) return new AppError('invalid_json');
  const text = bytes.toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    return new AppError('invalid_json');
  }
  const fault = memberFault(text);
  return fault === undefined ? undefined : new AppError('invalid_json', fault);
}

/**
 * The `query` in the body of a search that is refused whatever it says; an empty string where it cannot be read, is not there
 * within a second, or is larger than any search needs. What comes later is read and forgotten.
 */
export async function readQuery({ raw, headers }: FastifyRequest): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, REFUSED_BODY_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_REFUSED_BYTES) chunks.push(chunk);
      else done();
    });
    raw.once('end', done).once('close', done).once('error', done);
  });
  return bytes <= MAX_REFUSED_BYTES ? queryOf(Buffer.concat(chunks)) : '';
}

function queryOf(body: Buffer): string {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null || !('query' in value)) return '';
    return typeof value.query === 'string' ? value.query : '';
  } catch {
    return '';
  }
}
