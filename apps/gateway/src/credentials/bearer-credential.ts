import { isTokenText, isWellFormedApiKey } from '@capability-router/kernel';
import type { FastifyRequest } from 'fastify';

const bearerPattern = /^Bearer +(\S+)$/i;
const HEADER = 'authorization';

/**
 * The credential of an `Authorization` header, if it has the form of one that could be valid: an API key, which carries a
 * checksum, or an access token. A typo or a key of another vendor is refused here, neither looked up nor counted against
 * the address. Of a request with two such headers nobody can say which one counts, so it has none.
 */
export function bearerCredential({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | undefined {
  const { authorization } = headers;
  const credential = authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
  if (credential === undefined || isRepeated(raw.rawHeaders)) return undefined;
  return isWellFormedApiKey(credential) || isTokenText(credential) ? credential : undefined;
}

/** Node keeps the first of several. `rawHeaders`: names and values in turn. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HEADER.length && name.toLowerCase() === HEADER) found += 1;
  }
  return found > 1;
}
