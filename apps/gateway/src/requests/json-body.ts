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

/**
 * Bodies must be readable JSON in UTF-8 of few levels that says everything once, and are passed on as the bytes that came:
 * who reads them next must not read something else. What they must contain is for the services to say.
 */
export function acceptJsonBytes(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    // A refused request is answered as such, whatever its body.
    if (bytes.length === 0 || request.refusal !== undefined) done(null, bytes);
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

/** The `query` of a search body, or an empty string. */
export function queryOf(body: unknown): string {
  if (!Buffer.isBuffer(body)) return '';
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null || !('query' in value)) return '';
    return typeof value.query === 'string' ? value.query : '';
  } catch {
    return '';
  }
}
