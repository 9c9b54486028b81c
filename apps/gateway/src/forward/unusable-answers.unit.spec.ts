import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeyScopes } from '@capability-router/contracts';
import { gatewayEnvSpec } from '../config/gateway-env.js';
import { keyOf, RunningGateway } from '../test-support/running-gateway.js';
import { nameOf, pathOf, requestOf } from '../test-support/route-paths.js';
import { toldError } from '../test-support/told-error.js';
import { gatewayRoutes } from '../routes/routes.js';

/** Statuses that no caller may see from a service: redirects, and its refusal of the gateway. */
const redirects = [300, 301, 302, 303, 304, 305, 307, 308];
const UNAUTHORIZED = 401;
const headers = { location: 'https://elsewhere.example', 'www-authenticate': 'Basic', 'set-cookie': 'a=b' };

const omniscient = keyOf('f');
const executes = /^\/api\/v1\/(tools\/execute|capabilities\/query)$/;
const inspects = /^\/api\/v1\/tools\/(by-ids|probe)$/;
/** Downloads and exports are passed on with their validators: nothing has changed. */
const mayBeUnmodified = /^\/api\/v1\/(results\/|.*\/export$)|^\/admin\/v1\/ledger-entries$/;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = new RunningGateway();
  gateway.scopesOfKey.set(omniscient, apiKeyScopes);
  const limits = Object.keys(gatewayEnvSpec).filter((name) => name.startsWith('RATE_LIMIT_'));
  await gateway.start(Object.fromEntries(limits.map((limit) => [limit, '100000'])));
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.logs.length = 0;
});

/** Both that stand for services answer so; what they are asked about the credential is answered as ever. */
async function answerAll(status: number, ask: () => Promise<Response>): Promise<Response> {
  const { identity } = gateway;
  const verify = identity.behave;
  identity.behave = (request, response, socket) => {
    if (request.path === '/internal/credentials:verify') verify(request, response, socket);
    else response.writeHead(status, headers).end();
  };
  gateway.upstream.behave = (_request, response) => response.writeHead(status, headers).end();
  try {
    return await ask();
  } finally {
    identity.behave = verify;
  }
}

describe.each(gatewayRoutes.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  const path = pathOf(route);
  const answered = (status: number): Promise<Response> =>
    answerAll(status, () => gateway.fetch(path, requestOf(route), route.auth === 'none' ? '' : omniscient));

  it('passes no redirect of its service on', async () => {
    for (const status of redirects) {
      if (status === 304 && mayBeUnmodified.test(path)) continue;
      const reply = await answered(status);
      expect([status, reply.status, reply.headers.get('location')]).toEqual([status, 502, null]);
      if (route.method === 'HEAD') continue;
      const body: unknown = await reply.json();
      if (executes.test(path)) expect(body).toMatchObject(unknownOutcome);
      else if (inspects.test(path)) expect(body).toEqual({ error: text, message: text, ...unavailable });
      else expect(body).toEqual({ status: 'failure', message: text, ...unavailable });
      expect(gateway.logs.at(-1)).toMatchObject({ msg: 'an upstream answer was not usable', status });
    }
  });

  it("does not tell its caller of a service that refused the gateway's own token", async () => {
    const reply = await answered(UNAUTHORIZED);
    const told = [reply.status, reply.headers.get('www-authenticate'), reply.headers.get('set-cookie')];
    // A service checks who asks before all else, so it has run nothing.
    expect(told).toEqual([executes.test(path) ? 503 : 502, null, null]);
    expect(gateway.logs.at(-1)).toMatchObject({ msg: 'an upstream answer was not usable', status: UNAUTHORIZED });
    if (route.method === 'HEAD') return;
    const body: unknown = await reply.json();
    if (executes.test(path)) expect(body).toEqual({ status: 'failure', message: text, ...notDispatched });
    else if (inspects.test(path)) expect(body).toEqual({ error: text, message: text, ...unavailable });
    else expect(body).toEqual({ status: 'failure', message: text, ...unavailable });
  });
});

const text = expect.stringMatching(/.+/);
const unavailable = toldError('upstream_unavailable');
const notDispatched = { ...toldError('not_dispatched'), retry_after_seconds: 1 };
const unknownOutcome = {
  execution_id: expect.stringMatching(/^exec_[0-9a-f]{32}$/),
  success: false,
  error_message: 'outcome unknown: read usage history by execution_id',
  execution_outcome: { reason_code: 'transport.no_response' },
};
