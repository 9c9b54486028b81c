import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small library of books over HTTP, described by an OpenAPI document of its own. */
export interface LibraryApi {
  readonly origin: string;
  /** The answer of `/openapi.json`; a test may replace it. */
  document: Record<string, unknown>;
  readonly requests: string[];
  close(): Promise<void>;
}

export const libraryDocument = (origin: string): Record<string, unknown> => ({
  openapi: '3.0.3',
  info: { title: 'Village library', version: '1.0.0', description: 'Books of the village and who has them.' },
  servers: [{ url: '/v1' }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        summary: 'List the books of the village library',
        parameters: [
          { name: 'author', in: 'query', schema: { type: 'string', nullable: true } },
          { $ref: '#/components/parameters/Limit' },
        ],
        responses: { 200: { description: 'The books that were found.', content: { 'application/json': {} } } },
      },
      post: {
        operationId: 'addBook',
        summary: 'Add a book to the village library',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewBook' } } },
        },
        responses: { 201: { description: 'Added.' } },
      },
    },
    '/books/{isbn}': {
      parameters: [{ name: 'isbn', in: 'path', required: true, schema: { type: 'string' }, example: '9780131103627' }],
      get: { summary: 'Look a book up by its ISBN', responses: { 200: { description: 'The book, with who has it.' } } },
    },
    '/cover': {
      get: { operationId: 'getCover', responses: { 200: { description: 'A picture.', content: { 'image/png': {} } } } },
    },
  },
  components: {
    parameters: {
      Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
    },
    schemas: {
      Titled: { type: 'object', required: ['title'], properties: { title: { type: 'string', minLength: 1 } } },
      NewBook: {
        allOf: [
          { $ref: '#/components/schemas/Titled' },
          {
            type: 'object',
            properties: {
              id: { type: 'integer', readOnly: true },
              pages: { type: 'integer', minimum: 0, exclusiveMinimum: true },
              sequelOf: { $ref: '#/components/schemas/NewBook' },
            },
          },
        ],
      },
    },
  },
  externalDocs: { url: `${origin}/docs` },
});

export async function startLibraryApi(): Promise<LibraryApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, api).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api: LibraryApi = {
    origin,
    document: libraryDocument(origin),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
}

async function answer(request: IncomingMessage, response: ServerResponse, api: LibraryApi): Promise<void> {
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { pathname, searchParams } = new URL(request.url ?? '/', api.origin);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (pathname === '/openapi.json') return json(200, api.document);
  if (pathname === '/parts.json')
    return json(200, { Limit: { name: 'most', in: 'query', schema: { type: 'integer' } } });
  if (pathname === '/large.json') return void response.end(Buffer.alloc(20_000_000, 0x20));
  if (pathname === '/v1/books' && request.method === 'POST') {
    return json(201, { added: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
  }
  if (pathname === '/v1/books')
    return json(200, { author: searchParams.get('author'), limit: searchParams.get('limit') });
  if (pathname.startsWith('/status/')) return json(Number(pathname.slice('/status/'.length)), { error: 'as asked' });
  return json(404, { error: 'nothing there' });
}
