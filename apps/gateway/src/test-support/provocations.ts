import { once } from 'node:events';
import { connect } from 'node:net';
import { ID_OF_PART, type DocumentedOperation } from './documented-operations.js';
import { keyOf, RunningGateway } from './running-gateway.js';

/** Milliseconds that a body, and an answer of a service, may take where it is tested that they do not come. */
const SHORT_MS = '400';
const BODY_LIMIT_BYTES = 1_024;
const LONG_PART = 'x'.repeat(3_000);
const CREDENTIALS_PATH = '/internal/credentials:verify';

const allScopes = keyOf('d');
const noScope = keyOf('e');

/** How a status is provoked, the same for every operation that has it in the document. */
export interface Provocation {
  readonly status: number;
  readonly how: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The services' way with a request that reaches them. */
  readonly services?: RunningGateway['upstream']['behave'];
  /** Others have the status from a service, which acceptance provokes. */
  readonly concerns?: (operation: DocumentedOperation) => boolean;
  readonly ask: (gateway: RunningGateway, operation: DocumentedOperation) => Promise<number>;
}

const readable = (type: string): string => (type === 'application/json' ? '{}' : 'a=b');

/** A request of the operation that the gateway forwards, but for what `changes` says. */
function requestTo({ method, bodyType }: DocumentedOperation, changes: { type?: string; body?: string } = {}) {
  if (bodyType === undefined) return { method };
  const { type = bodyType, body = readable(bodyType) } = changes;
  return { method, body, headers: { 'content-type': type } };
}

async function statusOf(
  gateway: RunningGateway,
  operation: DocumentedOperation,
  {
    key = allScopes,
    path = operation.path,
    ...changes
  }: { key?: string; path?: string; type?: string; body?: string } = {},
): Promise<number> {
  const reply = await gateway.fetch(path, requestTo(operation, changes), operation.isAuthenticated ? key : '');
  await reply.arrayBuffer();
  return reply.status;
}

/** Announces a body that does not come. */
async function statusWithoutBody(gateway: RunningGateway, operation: DocumentedOperation): Promise<number> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const credential = operation.isAuthenticated ? `authorization: Bearer ${allScopes}\r\n` : '';
  socket.write(
    `${operation.method} ${operation.path} HTTP/1.1\r\nhost: x\r\n${credential}content-type: ${operation.bodyType}\r\ncontent-length: 1000\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString())?.[1]);
}

const takesBody = ({ bodyType }: DocumentedOperation): boolean => bodyType !== undefined;

export const provocations: readonly Provocation[] = [
  {
    status: 400,
    how: 'a body that is no JSON, or else a path that is no URL',
    concerns: ({ bodyType, hasParts, isStreamed }) => (bodyType === 'application/json' && !isStreamed) || hasParts,
    ask: (gateway, operation) =>
      operation.bodyType === 'application/json' && !operation.isStreamed
        ? statusOf(gateway, operation, { body: '{' })
        : statusOf(gateway, operation, { path: operation.path.replaceAll(ID_OF_PART, '%zz') }),
  },
  {
    status: 401,
    how: 'no key',
    concerns: ({ isAuthenticated }) => isAuthenticated,
    ask: (gateway, operation) => statusOf(gateway, operation, { key: '' }),
  },
  {
    status: 403,
    how: 'a key without a scope',
    concerns: ({ isAuthenticated }) => isAuthenticated,
    ask: (gateway, operation) => statusOf(gateway, operation, { key: noScope }),
  },
  {
    status: 408,
    how: 'a body that does not come',
    env: { REQUEST_TIMEOUT_MS: SHORT_MS },
    concerns: ({ isStreamed }) => !isStreamed,
    ask: statusWithoutBody,
  },
  {
    status: 413,
    how: 'a body that is too large',
    env: { BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES), STREAMED_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) },
    ask: (gateway, operation) =>
      statusOf(gateway, operation, { body: readable(operation.bodyType ?? '').padEnd(2 * BODY_LIMIT_BYTES) }),
  },
  {
    status: 414,
    how: 'a part of the path that is too long',
    ask: (gateway, operation) =>
      statusOf(gateway, operation, { path: operation.path.replaceAll(ID_OF_PART, LONG_PART) }),
  },
  {
    status: 415,
    how: 'a body of another type',
    concerns: takesBody,
    ask: (gateway, operation) => statusOf(gateway, operation, { type: 'text/plain', body: 'x' }),
  },
  {
    status: 429,
    how: 'more requests than a minute has',
    env: Object.fromEntries(
      ['DISCOVER', 'INSPECT', 'PROBE', 'CALL', 'READ', 'ANONYMOUS'].map((name) => [`RATE_LIMIT_${name}`, '1']),
    ),
    ask: async (gateway, operation) => {
      await statusOf(gateway, operation);
      return statusOf(gateway, operation);
    },
  },
  {
    status: 431,
    how: 'headers that are too large',
    ask: async (gateway, { method, path }) =>
      (await gateway.fetch(path, { method, headers: { 'x-long': 'x'.repeat(20_000) } }, '')).status,
  },
  {
    status: 500,
    how: 'a service at fault',
    services: (_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"status":"failure","message":"x"}');
    },
    ask: statusOf,
  },
  {
    status: 502,
    how: 'a service that is lost on the way',
    services: (_request, _response, socket) => socket.destroy(),
    ask: statusOf,
  },
  {
    status: 503,
    how: 'services of which none is ready',
    services: (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json', 'x-service-availability': 'not_ready' }).end('{}');
    },
    ask: statusOf,
  },
  {
    status: 504,
    how: 'a service that does not answer in time',
    env: { CALL_TIMEOUT_MS: SHORT_MS, UPSTREAM_TIMEOUT_MS: SHORT_MS, STREAM_IDLE_TIMEOUT_MS: SHORT_MS },
    services: () => undefined,
    ask: statusOf,
  },
];

/** Identity tells whose a key is, whatever else it does. */
export async function startGateway({ env = {}, services }: Provocation): Promise<RunningGateway> {
  const gateway = new RunningGateway();
  gateway.scopesOfKey.set(allScopes, ['call', 'read', 'manage', 'admin']);
  gateway.scopesOfKey.set(noScope, []);
  await gateway.start({ RATE_LIMIT_READ: '100000', RATE_LIMIT_ANONYMOUS: '100000', ...env });
  const tellsWhoseItIs = gateway.identity.behave;
  const { behave } = gateway.upstream;
  gateway.upstream.behave = services ?? behave;
  gateway.identity.behave = (request, response, socket) =>
    (request.path === CREDENTIALS_PATH ? tellsWhoseItIs : (services ?? behave))(request, response, socket);
  return gateway;
}

/** Whether the gateway is held to answer the operation with the status. */
export const isProvoked = (operation: DocumentedOperation, status: number): boolean =>
  provocations.some((provocation) => provocation.status === status && provocation.concerns?.(operation) !== false);
