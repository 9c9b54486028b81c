import { failure, unsent, type ProviderFailure, type ProviderFault } from '../provider-adapter.js';

export interface TransportMeaning {
  readonly fault: ProviderFault;
  readonly retryable: boolean;
  /** For the caller: never an address, a path or a stack. */
  readonly message: string;
}

const timeout: TransportMeaning = {
  fault: 'timeout',
  retryable: true,
  message: 'The provider did not answer in time.',
};
const notFound: TransportMeaning = {
  fault: 'no_response',
  retryable: true,
  message: "The provider's host name could not be resolved.",
};
const unreachable: TransportMeaning = {
  fault: 'no_response',
  retryable: true,
  message: 'No connection to the provider could be made.',
};
const broken: TransportMeaning = {
  fault: 'no_response',
  retryable: true,
  message: 'The connection to the provider ended before its answer was complete.',
};
const untrusted: TransportMeaning = {
  fault: 'no_response',
  retryable: false,
  message: "The provider's TLS certificate or handshake could not be accepted.",
};
const garbled: TransportMeaning = {
  fault: 'provider_error',
  retryable: false,
  message: 'The provider answered with something that is not readable.',
};
const refused: TransportMeaning = {
  fault: 'execution_failed',
  retryable: false,
  message: "The provider's address is not one that this deployment may connect to.",
};
const unsendable: TransportMeaning = {
  fault: 'execution_failed',
  retryable: false,
  message: 'No request could be made of these parameters.',
};

/** Every way in which an exchange can fail, by the code of Node, OpenSSL, llhttp, zlib, undici or ours. */
export const transportFaults: Readonly<Record<string, TransportMeaning>> = {
  ERR_DEADLINE: timeout,
  UND_ERR_CONNECT_TIMEOUT: timeout,
  UND_ERR_HEADERS_TIMEOUT: timeout,
  UND_ERR_BODY_TIMEOUT: timeout,
  ETIMEDOUT: timeout,
  ETIMEOUT: timeout,
  ENOTFOUND: notFound,
  ENODATA: notFound,
  ESERVFAIL: notFound,
  EREFUSED: notFound,
  EAI_AGAIN: notFound,
  EAI_FAIL: notFound,
  EAI_NODATA: notFound,
  EBADNAME: notFound,
  EBADRESP: notFound,
  EFORMERR: notFound,
  ENOTIMP: notFound,
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  ENETRESET: broken,
  ENOTCONN: broken,
  EADDRNOTAVAIL: unreachable,
  ERR_EGRESS_PROXY: unreachable,
  ECONNRESET: broken,
  ECONNABORTED: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_CLOSED: broken,
  UND_ERR_DESTROYED: broken,
  UND_ERR_INFO: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
  ERR_STREAM_PREMATURE_CLOSE: broken,
  ERR_STREAM_DESTROYED: broken,
  EPROTO: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  CERT_REVOKED: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  CERT_CHAIN_TOO_LONG: untrusted,
  CERT_REJECTED: untrusted,
  HOSTNAME_MISMATCH: untrusted,
  INVALID_CA: untrusted,
  INVALID_PURPOSE: untrusted,
  PATH_LENGTH_EXCEEDED: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  HTTPParserError: garbled,
  UND_ERR_HEADERS_OVERFLOW: garbled,
  Z_DATA_ERROR: garbled,
  Z_NEED_DICT: garbled,
  Z_BUF_ERROR: garbled,
  Z_STREAM_ERROR: garbled,
  ERR_UNREADABLE_ANSWER: garbled,
  ERR_EGRESS_REFUSED: refused,
  UND_ERR_INVALID_ARG: unsendable,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: unsendable,
};

/** Families of codes that are too many to list. */
export const transportFaultFamilies: readonly (readonly [prefix: string, TransportMeaning])[] = [
  ['HPE_', garbled],
  ['ERR__ERROR_FORMAT', garbled],
  ['ERR_BROTLI', garbled],
  ['ERR_PADDING', garbled],
  ['ERR_TLS_', untrusted],
  ['ERR_SSL_', untrusted],
];

/** The fault of an error that is in neither table. */
export const unknownTransportFault: TransportMeaning = {
  fault: 'execution_failed',
  retryable: false,
  message: 'The call to the provider failed unexpectedly.',
};

/**
 * Errors that come before a request is written: no address, no connection, a certificate that is not trusted, a target or parameters
 * that are refused here. Others of their kind (`EPROTO`, `EHOSTUNREACH`) may also meet a request under way.
 */
const beforeSending: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EBADNAME', 'EBADRESP'],
  ...['EFORMERR', 'ENOTIMP', 'ECONNREFUSED', 'EADDRNOTAVAIL', 'ERR_EGRESS_PROXY', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED', 'CERT_SIGNATURE_FAILURE'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_CHAIN_TOO_LONG', 'CERT_REJECTED'],
  ...['HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'UNABLE_TO_GET_ISSUER_CERT'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['ERR_EGRESS_REFUSED', 'UND_ERR_INVALID_ARG'],
]);

/** The one fault that an error of an exchange is. `report` hears of what an operator has to look at. */
export function classifyTransport(error: unknown, report: (error: unknown) => void): ProviderFailure {
  const { sign, meaning: found } = meaningOf(error) ?? {};
  if (found === undefined || found === refused || found === unsendable) report(error);
  const { fault, message, retryable } = found ?? unknownTransportFault;
  const tooLarge = isTooLarge(error) ? 'The answer of the provider is too large. Ask for less.' : message;
  const failed = failure(fault, tooLarge, { retryable });
  return sign !== undefined && beforeSending.has(sign) ? unsent(failed) : failed;
}

/** Errors that wrap others are followed to the first that says something: `fetch` says no more than "fetch failed". */
function meaningOf(error: unknown): { readonly sign: string; readonly meaning: TransportMeaning } | undefined {
  for (const { code, name } of chainOf(error)) {
    // Some errors of undici have a name and no code.
    const sign = code ?? name;
    if (typeof sign !== 'string') continue;
    const known = transportFaults[sign] ?? transportFaultFamilies.find(([prefix]) => sign.startsWith(prefix))?.[1];
    if (known !== undefined) return { sign, meaning: known };
  }
  return undefined;
}

const isTooLarge = (error: unknown): boolean => chainOf(error).some(({ reason }) => reason === 'too_large');

interface ErrorLike {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly cause?: unknown;
}

/** Links of a chain of causes that are followed. */
const MAX_CAUSES = 5;

/** An error, its cause, the cause of that. */
function chainOf(error: unknown): ErrorLike[] {
  const chain: ErrorLike[] = [];
  for (let link = error; typeof link === 'object' && link !== null && chain.length < MAX_CAUSES;) {
    chain.push(link);
    link = (link as ErrorLike).cause;
  }
  return chain;
}
