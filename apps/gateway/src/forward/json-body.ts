import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError, isNestedDeeper, tooDeepMessage } from '@capability-router/kernel';

/**
 * Bodies must be readable JSON in UTF-8 of few levels, and are passed on as the bytes that came. What they must contain is for the
 * services to say.
 */
export function acceptJsonBytes(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    // A refused request is answered as such, whatever its body.
    if (bytes.length === 0 || request.refusal !== undefined) done(null, bytes);
    else if (isNestedDeeper(bytes)) done(new AppError('invalid_json', tooDeepMessage), undefined);
    else if (isJson(bytes)) done(null, bytes);
    else done(new AppError('invalid_json'), undefined);
  });
}

function isJson(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
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
