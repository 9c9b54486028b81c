import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from './listen.js';

/** A real HTTP server that is described by its own OpenAPI document. */
export interface LibraryApi {
  readonly documentUrl: string;
  /** The next edition of the API: `author` is needed, and has another name. */
  edition: 1 | 2;
  close(): Promise<void>;
}

export async function startLibraryApi(subject: string): Promise<LibraryApi> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const author = url.searchParams.get('author') ?? url.searchParams.get('written_by');
    if (url.pathname === '/openapi.json') json(200, documentOf(api.edition, subject));
    else if (url.pathname === '/v1/books') json(200, { author, books: [{ title: 'Faust' }] });
    else json(404, { error: 'not found' });
  });
  await listen(server);
  const api: LibraryApi = {
    documentUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`,
    edition: 1,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
}

const documentOf = (edition: 1 | 2, subject: string): unknown => ({
  openapi: '3.0.3',
  info: { title: `Library of ${subject}`, version: `${edition}.0.0` },
  servers: [{ url: '/v1' }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        summary: `List books of the ${subject} library by author`,
        parameters: [
          edition === 1
            ? { name: 'author', in: 'query', schema: { type: 'string', example: 'Goethe' } }
            : { name: 'written_by', in: 'query', required: true, schema: { type: 'string', example: 'Goethe' } },
        ],
        responses: { 200: { description: 'The books.', content: { 'application/json': {} } } },
      },
    },
  },
});
