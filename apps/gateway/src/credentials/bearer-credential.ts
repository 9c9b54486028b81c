import { isWellFormedApiKey } from '@capability-router/kernel';

const bearerPattern = /^Bearer +(\S+)$/i;

/**
 * The credential of an `Authorization` header, if it has the form of one that could be valid. Every credential is an
 * API key, and every key, those made at the first start included, carries a checksum: a typo or a key of another
 * vendor is refused here, neither looked up nor counted against the address. Another kind of credential needs its own
 * form beside this one.
 */
export function bearerCredential(header: string | undefined): string | undefined {
  const credential = header === undefined ? undefined : bearerPattern.exec(header)?.[1];
  return credential !== undefined && isWellFormedApiKey(credential) ? credential : undefined;
}
