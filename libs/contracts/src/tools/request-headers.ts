/**
 * Headers of a request to a provider that belong to the connection or to the guard of what goes out; nobody may set
 * them.
 */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'accept-encoding',
]);

/** Headers that a credential may set, and neither a manifest's constant nor a parameter. */
const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** Is it for neither a binding nor a parameter to set? In whatever case. */
export const isReservedHeader = (name: string): boolean =>
  isConnectionHeader(name) || credentialHeaders.has(name.toLowerCase());

/** Is it not even a credential's to set? In whatever case. */
export const isConnectionHeader = (name: string): boolean => connectionHeaders.has(name.toLowerCase());

/** A name that a header can have: a token of RFC 9110. */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** Whether a header can hold the text as it is. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\xa0-\xff]*$/.test(text);
