import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayRoutes, type GatewayRoute } from '@capability-router/gateway';
import { workspaceRoot } from '../workspace.js';

export const ADMIN_PREFIX = '/admin/v1';

const isMethod = (method: string): method is GatewayRoute['method'] =>
  gatewayRoutes.some((route) => route.method === method);

/** The gateway passes all of `/admin/v1` that it does not name to identity, whose controllers say what there is. */
function routesOfIdentity(): GatewayRoute[] {
  const folder = join(workspaceRoot, 'apps/identity/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.controller.ts'),
  );
  return files.sort().flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const base = /@Controller\('(admin\/v1[^']*)'\)/.exec(source)?.[1];
    if (base === undefined) return [];
    const handlers = [...source.matchAll(/@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/g)];
    return handlers.map(([, verb = '', end = '']) =>
      routeOf(verb.toUpperCase(), `/${base}${end === '' ? '' : `/${end}`}`),
    );
  });
}

function routeOf(method: string, path: string): GatewayRoute {
  const door = gatewayRoutes.find((route) => route.path === `${ADMIN_PREFIX}/*` && route.method === method);
  if (!isMethod(method) || door === undefined)
    throw new Error(`${method} ${path}: the gateway passes no such method on`);
  return { ...door, path };
}

/** Everything that administrators can reach. */
export const adminRoutes: readonly GatewayRoute[] = [
  ...gatewayRoutes.filter(({ path }) => path.startsWith(`${ADMIN_PREFIX}/`) && !path.endsWith('/*')),
  ...routesOfIdentity(),
];
