import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Milliseconds on a clock that only goes forward. */
  readonly atMs: number;
}

/** Answers one request, or does something else to it. */
export type Act = (response: ServerResponse) => void;

export const answers =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Act =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
/** The connection ends without an answer. */
export const breaks: Act = (response) => response.socket?.destroy();
/** The connection ends within the answer. */
export const breaksWithin: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"execution_id":', () => response.socket?.destroy());
};
/** The answer begins and does not end. */
export const beginsOnly: Act = (response) => void response.writeHead(200).write('{');
export const hangs: Act = () => undefined;

/** A router of a test: each request has the next of its acts, and the last one again. */
export class ScriptedRouter {
  readonly received: Received[] = [];
  origin = '';
  private acts: readonly Act[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        const turn = this.received.length;
        this.received.push({
          line: `${request.method} ${request.url}`,
          headers: request.headers,
          body: body === '' ? undefined : JSON.parse(body),
          atMs: performance.now(),
        });
        (this.acts[turn] ?? this.acts.at(-1) ?? hangs)(response);
      });
    });
  }

  static async start(): Promise<ScriptedRouter> {
    const router = new ScriptedRouter();
    await new Promise<void>((resolve) => router.server.listen(0, '127.0.0.1', resolve));
    router.origin = `http://127.0.0.1:${(router.server.address() as AddressInfo).port}`;
    return router;
  }

  /** From now on, with the count of requests begun anew. */
  script(...acts: readonly Act[]): void {
    this.received.length = 0;
    this.acts = acts;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }
}
