import { describe, expect, it } from '@jest/globals';
import { MCP_PATH, reasonCodes } from '@capability-router/contracts';
import { PathTemplates, templateOfRoute, type RecordedExchange } from '@capability-router/contracts/answers';
import { recordedExchanges } from '@capability-router/contracts/testing';
import { errorRegistry, type ErrorCode } from '@capability-router/kernel';
import { AUTHORIZATION_SERVER_PATH, MCP_RESOURCE_PATH, PROTECTED_RESOURCE_PATH } from '../well-known/metadata.js';
import { gatewayRoutes } from './routes.js';

const exchanges = recordedExchanges();

interface Route {
  readonly method: string;
  /** As the router has it: `:name` is one part of the path, `::` a colon. */
  readonly path: string;
}

const ownRoutes = ['/api/v1/meta', AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH, MCP_RESOURCE_PATH];
const routes: readonly Route[] = [
  ...gatewayRoutes,
  ...ownRoutes.map((path) => ({ method: 'GET', path })),
  { method: 'POST', path: MCP_PATH },
];

const byTemplate = new Map(routes.map((route) => [`${route.method} ${templateOfRoute(route.path)}`, route]));
const templates = new PathTemplates(byTemplate.keys());
const routeOf = ({ method, path }: RecordedExchange): Route | undefined =>
  byTemplate.get(templates.fitting(`${method} ${path}`)[0] ?? '');
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Routes without a recorded success, and why. */
const withoutSuccess: Readonly<Record<string, string>> = {
  'POST /api/v1/agent/claim-verify': 'its code is in a mail: acceptance `claim`',
  'POST /device/email-code': 'its code is in a mail: `device-page.int` of identity, acceptance `device-sign-in`',
};

/** Error codes without a recorded answer, and why. */
const unprovoked: Partial<Record<ErrorCode, string>> = {
  account_not_active: 'its account is closed while it is under way: acceptance `account-states`',
  request_timeout: 'a request has to come too slowly, or a deadline to pass: specs of the gateway and of execution',
  not_acceptable: 'the SDK of MCP alone answers so, in the words of JSON-RPC',
  uri_too_long: 'a part of a path has to be very long: `finish-error.unit` of the gateway',
  expectation_failed: 'a client of HTTP does not send it: `unfit-requests.unit` of service-kit',
  unclear_capability: 'what is near depends on the catalogue: acceptance `capability-query`',
  internal_error: 'there is none to be known: it is a bug',
  upstream_unavailable: 'a service has to be lost behind a written request: specs of the gateway and the fault tests',
  not_dispatched: 'a part has to be away: specs of the gateway and of execution, and the fault tests',
  upstream_timeout: 'a service has to be silent for half a minute: specs of the gateway',
};

const codeOf = ({ body }: RecordedExchange): string | undefined => /"code": "([a-z_]+)"/.exec(body)?.[1];

describe('the recorded answers', () => {
  it('hold every route that the gateway knows', () => {
    const reached = new Set(exchanges.map(routeOf).flatMap((route) => (route === undefined ? [] : [nameOf(route)])));
    expect(routes.map(nameOf).filter((route) => !reached.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(60);
  });

  it('hold a success of every route, but for those that are listed here with a reason', () => {
    const succeeded = new Set(
      exchanges
        .filter(({ status }) => status < 300)
        .map(routeOf)
        .flatMap((route) => (route === undefined ? [] : [nameOf(route)])),
    );
    const missing = routes.map(nameOf).filter((route) => !succeeded.has(route));
    expect(missing.sort()).toEqual(Object.keys(withoutSuccess).sort());
  });

  it('hold every error code, but for those that are listed here with a reason', () => {
    const told = new Set(exchanges.filter(({ status }) => status >= 400).map(codeOf));
    const missing = Object.keys(errorRegistry).filter((code) => !told.has(code));
    expect(missing.sort()).toEqual(Object.keys(unprovoked).sort());
  });

  it('hold every reason code', () => {
    const told = new Set(
      exchanges.flatMap(({ body }) => [...body.matchAll(/"reason_code": "([a-z_.]+)"/g)].map(([, code]) => code)),
    );
    expect(reasonCodes.filter((code) => !told.has(code))).toEqual([]);
  });

  it('are of no route that there is not, but for those that ask for one', () => {
    const strange = exchanges.filter((exchange) => routeOf(exchange) === undefined && exchange.status < 400);
    expect(strange.map(({ path }) => path).sort()).toEqual(['/livez', '/readyz']);
  });
});
