/** Characters of an address in an answer. */
const MAX_SHOWN_LENGTH = 200;
const MASK = '***';

/** An address without what may be secret in it: user, password, fragment and the values of its query. */
export function shownUrl(address: string): string {
  const [bare = ''] = address.split(/[?#]/, 1);
  if (!URL.canParse(address)) return bare.replace(/\/\/[^/]*@/, '//').slice(0, MAX_SHOWN_LENGTH);
  const url = new URL(address);
  const query = url.search
    .slice(1)
    .split('&')
    // A value without a name may be a secret itself.
    .map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=${MASK}` : part && MASK))
    .join('&');
  return `${url.origin}${url.pathname}${query && `?${query}`}`.slice(0, MAX_SHOWN_LENGTH);
}
