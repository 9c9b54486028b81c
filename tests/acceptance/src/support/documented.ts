import { expect } from '@jest/globals';
import { nextOrigin } from './environment.js';

/** The members of the OpenAPI document that are looked at. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}
interface Documented {
  readonly responses: Readonly<Record<string, unknown>>;
}

let document: Promise<Document> | undefined;

async function read(): Promise<Document> {
  const response = await fetch(new URL('/api/v1/openapi.json', nextOrigin()));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return (await response.json()) as Document;
}

/**
 * A client that was generated from the document knows every status that it gets. `path`: what stands behind `/api/v1`, without its query.
 * A path that the document does not have is not there: 404, or 405.
 */
export async function expectDocumented(method: string, path: string, status: number): Promise<void> {
  const { paths } = await (document ??= read());
  const operation = operationOf(paths, method, path);
  const documented = operation === undefined ? ['404', '405'] : Object.keys(operation.responses);
  expect({ method, path, documented }).toEqual({ method, path, documented: expect.arrayContaining([String(status)]) });
}

function operationOf(paths: Document['paths'], method: string, path: string): Documented | undefined {
  const fitting = Object.keys(paths).filter((template) => patternOf(template).test(path));
  // A path in plain text goes before one with parts.
  const [template] = fitting.sort((a, b) => plainLength(b) - plainLength(a));
  return template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
}

const plainLength = (template: string): number => template.replaceAll(/\{\w+\}/g, '').length;

function patternOf(template: string): RegExp {
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.$]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
