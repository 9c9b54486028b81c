import { API_CONTRACT_VERSION, API_PREFIX } from '@capability-router/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Admission, answerRefused } from './admission/admission.js';
import { Forwarding } from './forward/forwarding.js';
import { acceptStreams, StreamForwarding } from './forward/stream-forwarding.js';
import { acceptJsonBytes } from './requests/json-body.js';
import { declareRequestMembers } from './requests/request-members.js';
import type { GatewayRoute } from './routes/gateway-route.js';
import { gatewayRoutes } from './routes/routes.js';

/**
 * Every public route. They are plain Fastify handlers, because what they do is the same for all of them and every layer is
 * paid on each request.
 */
@Injectable()
export class PublicRoutes {
  constructor(
    @Inject(Admission) private readonly admission: Admission,
    @Inject(Forwarding) private readonly forwarding: Forwarding,
    @Inject(StreamForwarding) private readonly streamForwarding: StreamForwarding,
  ) {}

  /** Nothing else is reachable: internal paths have no route here. */
  mountOn(server: FastifyInstance): void {
    declareRequestMembers(server);
    acceptJsonBytes(server);
    server.get(`${API_PREFIX}/meta`, (_request, reply) => reply.send({ contract_version: API_CONTRACT_VERSION }));
    for (const route of gatewayRoutes) if (route.streams !== true) this.mount(server, route);
    server.register((scope, _options, done) => {
      acceptStreams(scope);
      for (const route of gatewayRoutes) if (route.streams === true) this.mountStream(scope, route);
      done();
    });
  }

  private mountStream(scope: FastifyInstance, route: GatewayRoute): void {
    scope.route({
      method: route.method,
      url: route.path,
      config: { streamsBody: true },
      onRequest: this.admission.to(route),
      handler: this.streamForwarding.to(route),
    });
  }

  private mount(server: FastifyInstance, route: GatewayRoute): void {
    const answersLate = route.shape === 'search';
    server.route({
      method: route.method,
      url: route.path,
      onRequest: this.admission.to(route),
      handler: this.forwarding.to(route),
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
}
