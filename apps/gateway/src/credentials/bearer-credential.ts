/** `sk-`, then at least 32 characters; the upper bound keeps what is hashed and sent on small. */
const apiKeyPattern = /^sk-[A-Za-z0-9_-]{32,253}$/;
const bearerPattern = /^Bearer +(\S+)$/i;

/** The credential of an `Authorization` header, if it has the form of one that could be valid. */
export function bearerCredential(header: string | undefined): string | undefined {
  const credential = header === undefined ? undefined : bearerPattern.exec(header)?.[1];
  return credential !== undefined && apiKeyPattern.test(credential) ? credential : undefined;
}
