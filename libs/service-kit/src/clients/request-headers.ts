import { internalHeaders } from '@capability-router/contracts';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import type { ServiceRequest } from './service-client.js';

const jsonContentType = 'application/json';

/** The request's own headers, with the service token and the assertion put over them. */
export async function headersOf(request: ServiceRequest, tokens: InternalTokens): Promise<Record<string, string>> {
  const headers: Record<string, string> = { ...request.headers };
  if (request.body !== undefined) headers['content-type'] ??= jsonContentType;
  headers[internalHeaders.serviceToken] = `Bearer ${await tokens.serviceToken()}`;
  if (request.assertion !== undefined) headers[internalHeaders.accountAssertion] = request.assertion;
  return headers;
}
