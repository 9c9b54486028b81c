/** Characters; tokens of external issuers hold lists of groups. All headers of a request together have 16 KiB. */
const MAX_TOKEN_LENGTH = 8_192;
/** A JWT in its compact form, whose header is a JSON object; the signature of an unsigned one is empty. */
const tokenPattern = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Could this be an access token? It is looked at no further than its form. */
export const isTokenText = (text: string): boolean => text.length <= MAX_TOKEN_LENGTH && tokenPattern.test(text);
