import type { FastifyInstance } from 'fastify';
import { API_CONTRACT_VERSION, API_PREFIX } from '@capability-router/contracts';
import { admitTo, answerRefused } from './admission/admit.js';
import { acceptJsonBytes } from './forward/json-body.js';
import { acceptStreams, forwardStreamTo } from './forward/forward-stream.js';
import { forwardTo } from './forward/forward.js';
import type { GatewayParts } from './gateway-parts.js';
import { gatewayRoutes } from './routes/routes.js';
import type { GatewayRoute } from './routes/gateway-route.js';

/** Mounts every public route. Nothing else is reachable: internal paths have no route here. */
export function registerRoutes(server: FastifyInstance, parts: GatewayParts, routes = gatewayRoutes): void {
  server.decorateRequest('authenticated', undefined);
  server.decorateRequest('refusal', undefined);
  acceptJsonBytes(server);
  server.get(`${API_PREFIX}/meta`, (_request, reply) => reply.send({ contract_version: API_CONTRACT_VERSION }));
  for (const route of routes) if (route.streams !== true) mount(server, route, parts);
  server.register((scope, _options, done) => {
    acceptStreams(scope);
    for (const route of routes) if (route.streams === true) mountStream(scope, route, parts);
    done();
  });
}

function mountStream(scope: FastifyInstance, route: GatewayRoute, parts: GatewayParts): void {
  scope.route({
    method: route.method,
    url: route.path,
    config: { streamsBody: true },
    onRequest: admitTo(route, parts.admission),
    handler: forwardStreamTo(route, parts.forward),
  });
}

function mount(server: FastifyInstance, route: GatewayRoute, parts: GatewayParts): void {
  const answersLate = route.shape === 'search';
  server.route({
    method: route.method,
    url: route.path,
    onRequest: admitTo(route, parts.admission),
    handler: forwardTo(route, parts.forward),
    ...(answersLate ? { preHandler: async (request, reply) => answerRefused(request, reply) } : {}),
    // A body that cannot be read (too large, another type) does not turn a refused request into another one.
    ...(answersLate
      ? {
          errorHandler: (error, request, reply) => {
            if (answerRefused(request, reply) === undefined) server.errorHandler(error, request, reply);
          },
        }
      : {}),
  });
}
