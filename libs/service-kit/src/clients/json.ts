import type { ServiceClient, ServiceRequest, ServiceResponse } from './service-client.js';

/** POSTs a JSON body. */
export function postJson(
  client: ServiceClient,
  path: string,
  body: unknown,
  options: Omit<ServiceRequest, 'method' | 'path' | 'body'>,
): Promise<ServiceResponse> {
  return client.request({ ...options, method: 'POST', path, body: JSON.stringify(body) });
}

/** The body of an internal answer; the shapes of internal routes are fixed in `contracts`. */
export function jsonBody<T>(response: ServiceResponse): T {
  return JSON.parse(response.body.toString('utf8')) as T;
}
