export { gatewayEnvSpec, loadGatewayConfig } from './config/gateway-env.js';
export type { GatewayConfig } from './config/gateway-env.js';
export { createGatewayService } from './create-gateway-service.js';
export { gatewayRoutes } from './routes/routes.js';
export type { ErrorShape, GatewayRoute, RateClass } from './routes/gateway-route.js';
export { MAX_ERROR_BYTES, uncountedMembers } from './errors/within-bound.js';
