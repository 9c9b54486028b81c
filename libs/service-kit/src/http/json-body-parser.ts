import { AppError, isNestedDeeper, tooDeepMessage } from '@capability-router/kernel';
import type { FastifyInstance } from 'fastify';

/** What Fastify's JSON parser does with `__proto__` and `constructor` members. */
const POISONING = 'remove';

/** Fastify's own JSON parser, after a look at how deep the body nests: code that walks a value recurses. */
export function parseJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser(POISONING, POISONING);
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (isNestedDeeper(bytes)) done(new AppError('invalid_json', tooDeepMessage), undefined);
    else void parse(request, bytes.toString('utf8'), done);
  });
}
