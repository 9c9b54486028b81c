import { gatewayRoutes } from '../routes/routes.js';
import type { GatewayRoute } from '../routes/gateway-route.js';

/** A path that the pattern of the route matches. */
export const pathOf = ({ path }: GatewayRoute): string =>
  path
    .replace('*', 'accounts')
    .replaceAll(/(?<=\/):[a-zA-Z]+(?=\/|$)/g, '018f0000-0000-7000-8000-000000000009')
    .replaceAll('::', ':');

/** A request of the route, with a body where it takes one. */
export const requestOf = ({ method, form }: GatewayRoute): RequestInit => ({
  method,
  headers: { 'content-type': form === true ? 'application/x-www-form-urlencoded' : 'application/json' },
  ...(/^(GET|HEAD)$/.test(method) ? {} : { body: '{}' }),
});

export const nameOf = ({ method, path }: GatewayRoute): string => `${method} ${path}`;

/** Those that take a credential, by name. */
export const authenticatedRoutes = gatewayRoutes
  .filter(({ auth }) => auth === 'api_key')
  .map((route) => [nameOf(route), route] as const);
