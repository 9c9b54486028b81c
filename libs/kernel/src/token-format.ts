/** Characters; far above any token that is signed here. */
const MAX_TOKEN_LENGTH = 4_096;
/** A JWT in its compact form, whose header is a JSON object; the signature of an unsigned one is empty. */
const tokenPattern = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Could this be an access token? It is looked at no further than its form. */
export const isTokenText = (text: string): boolean => text.length <= MAX_TOKEN_LENGTH && tokenPattern.test(text);
