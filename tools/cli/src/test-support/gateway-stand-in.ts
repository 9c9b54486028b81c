import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';

interface Answer {
  readonly status: number;
  /** A list stands for lines, one a member; a text is sent as it is. */
  readonly body: object | string;
  /** The connection ends before the answer does. */
  readonly breaksOff?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SentRequest {
  readonly line: string;
  /** The header Idempotency-Key. */
  readonly key: unknown;
  readonly body: unknown;
  /** The type of a body that is no JSON. */
  readonly type?: string;
  readonly text?: string;
}

/** A command that has ended: its exit code, and its lines. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** A gateway of a test, which answers everything alike and remembers what it was asked. */
export class GatewayStandIn {
  answer: Answer = { status: 200, body: {} };
  /** The answers of the next requests, before `answer`. */
  answers: Answer[] = [];
  /** The answers to requests for a path, before all others. */
  answersTo: Readonly<Record<string, Answer>> = {};
  readonly requests: SentRequest[] = [];
  /** The header of each request. */
  readonly authorizations: unknown[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<GatewayStandIn> {
    const server = createServer();
    const gateway = new GatewayStandIn(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const key = request.headers['idempotency-key'];
        const line = `${request.method} ${request.url}`;
        gateway.authorizations.push(request.headers.authorization);
        gateway.requests.push({ line, key, ...sentIn(body, request.headers['content-type']) });
        const {
          status,
          body: told,
          headers,
          breaksOff,
        } = gateway.answersTo[request.url ?? ''] ?? gateway.answers.shift() ?? gateway.answer;
        const sent = typeof told === 'string' ? told : linesOf(told);
        response.writeHead(status, headers);
        if (breaksOff === true) response.write(sent, () => response.destroy());
        else response.end(sent);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return gateway;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }

  /** One command line, run against it. */
  caprouter(...args: readonly string[]): Promise<Ended> {
    return this.caprouterIn({ CAPROUTER_GATEWAY_URL: this.origin, CAPROUTER_API_KEY: 'sk-environment00' }, '', ...args);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** With an environment and an input of its own. */
  async caprouterIn(env: NodeJS.ProcessEnv, input: string, ...args: readonly string[]): Promise<Ended> {
    const [out, error]: [string[], string[]] = [[], []];
    const code = await run(args, {
      env,
      stdin: Readable.from([input]),
      out: (line) => void out.push(line),
      error: (line) => void error.push(line),
    });
    return { code, out: out.join('\n'), error: error.join('\n') };
  }
}

const linesOf = (told: object): string =>
  (Array.isArray(told) ? told : [told]).map((each) => JSON.stringify(each)).join('\n');

function sentIn(body: string, type: string | undefined): Pick<SentRequest, 'body' | 'type' | 'text'> {
  if (body === '') return { body: undefined };
  if (type === undefined || type === 'application/json') return { body: JSON.parse(body) };
  return { body: undefined, type, text: body };
}
