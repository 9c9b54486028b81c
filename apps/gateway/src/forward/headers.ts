import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { internalHeaders, publicHeaders } from '@capability-router/contracts';

/**
 * These headers of a caller's request reach a service. They are a list of what may pass, so that no header about identity, no
 * hop-by-hop header and nothing unforeseen does.
 */
const requestHeaders = [
  'content-type',
  'accept',
  'accept-language',
  'idempotency-key',
  'range',
  'if-range',
  'if-none-match',
  publicHeaders.cacheMode,
  'traceparent',
  'tracestate',
  'user-agent',
] as const;

/** These headers of a service's answer reach the caller. */
const responseHeaders = [
  'content-type',
  'content-disposition',
  'content-language',
  // Pages for people have these.
  'content-security-policy',
  'referrer-policy',
  'x-frame-options',
  'cache-control',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'vary',
  'retry-after',
  'allow',
  'idempotency-replayed',
  'x-content-type-options',
  // A service that counts by itself sends these; they replace the gateway's.
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
] as const;

export interface ForwardedIdentity {
  readonly requestId: string;
  readonly executionId: string | undefined;
  readonly clientAddress: string;
  /** The caller's header `Authorization`, where the service reads that itself. */
  readonly authorization?: string | undefined;
}

/** Node alone would keep the first of several. Joined, as HTTP reads them, they are no credential: neither counts. */
export const sentAuthorization = ({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined =>
  headersDistinct['authorization']?.join(', ');

export function upstreamHeaders(received: IncomingHttpHeaders, identity: ForwardedIdentity): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of requestHeaders) {
    const value = received[name];
    if (typeof value === 'string') headers[name] = value;
  }
  headers[internalHeaders.requestId] = identity.requestId;
  headers[internalHeaders.clientAddress] = identity.clientAddress;
  if (identity.authorization !== undefined) headers[internalHeaders.callerAuthorization] = identity.authorization;
  if (identity.executionId !== undefined) headers[internalHeaders.executionId] = identity.executionId;
  return headers;
}

export function callerHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of responseHeaders) {
    const value = received[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
