import { expect } from '@jest/globals';
import { PathTemplates } from '@capability-router/contracts/answers';
import { nextOrigin } from './environment.js';

/** The members of an OpenAPI document that are looked at. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}
interface Documented {
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The parts of the interface that have documents, by the path in front of theirs. */
export type DocumentedPrefix = '/api/v1' | '/admin/v1';
const documents = new Map<DocumentedPrefix, Promise<Document>>();

async function read(prefix: DocumentedPrefix): Promise<Document> {
  const response = await fetch(new URL(`${prefix}/openapi.json`, nextOrigin()));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return (await response.json()) as Document;
}

function documentOf(prefix: DocumentedPrefix): Promise<Document> {
  const document = documents.get(prefix) ?? read(prefix);
  documents.set(prefix, document);
  return document;
}

/**
 * A client that was generated from a document knows every status that it gets. `path`: what stands behind the prefix, without its
 * query. A path that the document does not have is not there: 404, or 405; below administration nobody else is told so.
 */
export async function expectDocumented(
  prefix: DocumentedPrefix,
  method: string,
  path: string,
  status: number,
): Promise<void> {
  const { paths } = await documentOf(prefix);
  const operation = operationOf(paths, method, path);
  const absent = prefix === '/admin/v1' ? ['401', '403', '404', '405', '429'] : ['404', '405'];
  const documented = operation === undefined ? absent : Object.keys(operation.responses);
  expect({ method, path, documented }).toEqual({ method, path, documented: expect.arrayContaining([String(status)]) });
}

function operationOf(paths: Document['paths'], method: string, path: string): Documented | undefined {
  const [template] = new PathTemplates(Object.keys(paths)).fitting(path);
  return template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
}
