import { gatewayRoutes, type GatewayRoute } from '@capability-router/gateway';

export const ADMIN_PREFIX = '/admin/v1';

/** Everything that administrators can reach. */
export const adminRoutes: readonly GatewayRoute[] = gatewayRoutes.filter(({ path }) =>
  path.startsWith(`${ADMIN_PREFIX}/`),
);
