import { internalHeaders } from '@capability-router/contracts';
import type { ServiceRequest, StreamedRequest } from './service-client.js';

const jsonContentType = 'application/json';

/** The request's own headers, with the service token and the assertion put over them. */
export function headersOf(request: ServiceRequest | StreamedRequest, serviceToken: string): Record<string, string> {
  const headers: Record<string, string> = { ...request.headers };
  if (request.body !== undefined) headers['content-type'] ??= jsonContentType;
  headers[internalHeaders.serviceToken] = `Bearer ${serviceToken}`;
  if (request.assertion !== undefined) headers[internalHeaders.accountAssertion] = request.assertion;
  return headers;
}
