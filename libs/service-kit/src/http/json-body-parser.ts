import { AppError, hasWiderObject, isNestedDeeper, tooDeepMessage, tooWideMessage } from '@capability-router/kernel';
import type { FastifyInstance } from 'fastify';

/** How Fastify's JSON parser treats members named `__proto__` and `constructor`. */
const POISONING = 'remove';

/**
 * Fastify's own JSON parser, after a look at how deep the body nests, because code that walks a value recurses, and how
 * wide its objects are, because building a very wide one holds up everybody.
 */
export function parseJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser(POISONING, POISONING);
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (isNestedDeeper(bytes)) done(new AppError('invalid_json', tooDeepMessage), undefined);
    else if (hasWiderObject(bytes)) done(new AppError('invalid_json', tooWideMessage), undefined);
    else void parse(request, bytes.toString('utf8'), done);
  });
}
