import { MCP_PATH } from '@capability-router/contracts';
import type { GatewayRoute } from '../routes/gateway-route.js';

/**
 * A message that asks for no tool (a list, a handshake) is a read; a call of a tool counts as the request that it becomes. No service
 * is asked by this route itself.
 */
export const mcpRoute: GatewayRoute = {
  method: 'POST',
  path: MCP_PATH,
  service: 'registry',
  auth: 'api_key',
  rate: 'read',
  shape: 'plain',
};
