import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A provider that repeats whatever it was shown, in every way in which careless ones do. */
export interface EchoingProvider {
  readonly origin: string;
  /** The requests as they came, so that a test knows that the secret was there to be repeated. */
  readonly received: string[];
  close(): Promise<void>;
}

const utf16Escapes = (value: string): string =>
  [...value].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The secret with which a request was signed, in its headers or its URL. */
function shownIn({ headers, url = '/' }: IncomingMessage): string {
  const { authorization = '', 'x-key': key } = headers;
  const inUrl = new URL(url, 'http://localhost').searchParams.get('api_key') ?? '';
  return `${String(key ?? '')}${inUrl}${authorization.replace(/^\w+ /, '')}`;
}

/** By the first segment of the path. */
const behaviours: Readonly<Record<string, (shown: string) => RequestListener>> = {
  echo: (shown) => (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': shown });
    const encoded = { base64: btoa(shown), inText: btoa(`user:${shown}!`), uri: encodeURIComponent(shown) };
    const body = JSON.stringify({ shown, [shown]: 1, url: request.url, headers: request.headers, ...encoded });
    response.end(
      `${body.slice(0, -1)},"escaped":"${utf16Escapes(shown)}","slashed":${JSON.stringify(shown).replaceAll('/', '\\/')}}`,
    );
  },
  text: (shown) => (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`you are ${shown}`),
  denied: (shown) => (_request, response) => {
    response.writeHead(403, `No ${encodeURIComponent(shown)}`, {
      'content-type': 'application/json',
      'www-authenticate': `Bearer error_description="${encodeURIComponent(shown)}"`,
    });
    response.end(`{"error":{"message":"the key ${utf16Escapes(shown)} is not ${JSON.stringify(shown).slice(1, -1)}"}}`);
  },
  broken: (shown) => (_request, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`stack: ${shown}`),
  typed: (shown) => (_request, response) => response.writeHead(200, { 'content-type': `image/${shown}` }).end('x'),
  moved: (shown) => (request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:1/?k=${encodeURIComponent(shown)}` }).end(request.url),
  garbage: (shown) => (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${shown}`),
  closed: () => (request) => request.destroy(),
  silent: () => () => undefined,
};

/** A token endpoint that answers as the client's id asks for. */
const tokens: Readonly<Record<string, (said: string) => RequestListener>> = {
  gives: (said) => (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: `at-${said}`, token_type: 'Bearer', expires_in: 60, note: said })),
  refuses: (said) => (_request, response) =>
    response
      .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': `Basic realm="${said}"` })
      .end(
        JSON.stringify({ error: 'invalid_client', error_description: said, error_uri: `https://a.example/?${said}` }),
      ),
  challenges: (said) => (_request, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", error_description="${said}"` }).end(),
  fails: (said) => (_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(`<p>${said}`),
  babbles: (said) => (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"${said}`),
  hangs: () => () => undefined,
};

/** The one method of MCP that matters here, and the two before it. */
function mcp(shown: string): RequestListener {
  return (request, response) => {
    void text(request).then((body) => {
      const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { name?: string } };
      const answer = (result: object): void =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
      if (method === 'initialize') {
        const serverInfo = { name: shown, version: '1' };
        answer({
          result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo, instructions: shown },
        });
      } else if (id === undefined) response.writeHead(202).end();
      else if (params?.name === 'fail') answer({ result: { isError: true, content: [{ type: 'text', text: shown }] } });
      else if (params?.name === 'error') answer({ error: { code: -32_000, message: shown, data: { shown } } });
      else answer({ result: { content: [{ type: 'text', text: JSON.stringify({ shown, again: btoa(shown) }) }] } });
    });
  };
}

export async function startEchoingProvider(): Promise<EchoingProvider> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const shown = shownIn(request);
    const [, kind = '', name = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
    if (kind === 'token') tokens[name]?.(`${atob(shown)} ${shown}`)(request, response);
    else if (kind === 'mcp') mcp(shown)(request, response);
    else behaviours[kind]?.(shown)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const behaviourNames = Object.keys(behaviours);
export const tokenBehaviours = Object.keys(tokens);
