import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

export type ModelAnswer = (request: ModelRequest, response: ServerResponse) => void;

/** The meaning of a text, for a model of three dimensions. */
export type Meaning = (text: string) => readonly number[];

/** A model server on the loopback that does what the test says. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];

  private constructor(
    readonly baseUrl: string,
    readonly close: () => Promise<void>,
    private readonly answers: { current: ModelAnswer },
  ) {}

  static async start(answer: ModelAnswer): Promise<ModelServer> {
    const answers = { current: answer };
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
        const seen = { path: request.url ?? '', authorization: request.headers.authorization, body };
        models.requests.push(seen);
        answers.current(seen, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    const models = new ModelServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close, answers);
    return models;
  }

  answerWith(answer: ModelAnswer): void {
    this.answers.current = answer;
  }

  /** Texts that were embedded so far, in all requests. */
  get embedded(): string[] {
    return this.requests.flatMap(({ body }) => (Array.isArray(body['input']) ? (body['input'] as string[]) : []));
  }
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200, headers: object = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** Answers as an OpenAI-compatible server does, in an order of its own; it knows nothing but embeddings. */
export const embedsBy =
  (meaning: Meaning): ModelAnswer =>
  ({ body }, response) => {
    const texts = body['input'] as string[] | undefined;
    if (texts === undefined) {
      sendJson(response, {}, 404);
      return;
    }
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: meaning(text) })).reverse();
    sendJson(response, { object: 'list', model: body['model'], data, usage: { total_tokens: 1 } });
  };
