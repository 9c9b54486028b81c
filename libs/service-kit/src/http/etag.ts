/** Does `If-None-Match` name the tag? Weak comparison, as RFC 9110 wants it there. `etag` with its quotes, strong or weak. */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((one) => one.trim() === '*' || opaque(one.trim()) === opaque(etag)) ?? false;
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');
