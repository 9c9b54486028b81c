import {
  CLOCK,
  CONFIG,
  LOGGER,
  errorAnswerOf,
  type ErrorAnswer,
  type ServiceClients,
} from '@capability-router/service-kit';
import type { Clock } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Admission } from '../admission/admission.js';
import type { GatewayConfig } from '../config/gateway-env.js';
import { callerIsGone, forget } from '../requests/caller-gone.js';
import { CLIENTS, PUBLIC_URL } from '../tokens.js';
import { mcpChallengeOf } from '../well-known/metadata.js';
import { mcpRoute } from './endpoint-route.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import { sendRefusal } from './rpc-refusal.js';

/** The door of the protocol: who is it, and from which page? What is behind it is loaded by the first request that may enter. */
@Injectable()
export class McpRoute {
  private readonly origins: ReadonlySet<string>;
  private endpoint: Promise<McpEndpoint> | undefined;

  constructor(
    @Inject(Admission) private readonly admission: Admission,
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'registry'>,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {
    this.origins = new Set([publicUrl, ...config.mcpAllowedOrigins]);
  }

  mountOn(server: FastifyInstance): void {
    const challenge = mcpChallengeOf(this.publicUrl);
    const refuse = (reply: FastifyReply, answer: ErrorAnswer): FastifyReply => {
      if (answer.status === 401) reply.header('www-authenticate', challenge);
      return sendRefusal(reply, answer);
    };
    server.register((scope, _options, done) => {
      const answerOurs = scope.errorHandler;
      scope.setErrorHandler(async (error, request, reply) => {
        const answer = errorAnswerOf(error);
        if (answer.status >= 500) return answerOurs(error, request, reply);
        return sendRefusal(reply, (await this.countUnread(request, reply)) ?? answer);
      });
      scope.route({
        method: mcpRoute.method,
        url: mcpRoute.path,
        onRequest: async (request, reply) => {
          if (callerIsGone(request)) return forget(reply);
          if (!this.maySend(request)) return refuse(reply, strangeOrigin);
          const refusal = await this.admission.identify(mcpRoute, request);
          return refusal === undefined ? undefined : refuse(reply, refusal);
        },
        // Not an async handler, as of every streamed answer: see `StreamForwarding`.
        handler: (request, reply) => {
          this.endpoint ??= this.load(server);
          this.endpoint
            .then((endpoint) => endpoint.serve(request, reply))
            .catch((error: unknown) => void reply.send(error));
        },
      });
      done();
    });
  }

  /** A body that cannot be read is counted like one that can. */
  private countUnread(request: FastifyRequest, reply: FastifyReply): Promise<ErrorAnswer | undefined> {
    const isCounted = request.authenticated === undefined || reply.hasHeader('x-ratelimit-limit');
    return isCounted ? Promise.resolve(undefined) : this.admission.admit(mcpRoute, request, reply);
  }

  /** A page sends its origin, also one whose name was made to lead to this server (DNS rebinding); a program sends none. */
  private maySend({ headers: { origin } }: FastifyRequest): boolean {
    return origin === undefined || this.origins.has(origin);
  }

  private async load(server: FastifyInstance): Promise<McpEndpoint> {
    const { McpEndpoint: Endpoint } = await import('./mcp-endpoint.js');
    const { admission, clients, config, clock, logger } = this;
    return new Endpoint({ server, admission, clients, clock, logger, publishedToolIds: config.mcpPublishedTools });
  }
}

const strangeOrigin: ErrorAnswer = {
  status: 403,
  headers: {},
  body: {
    status: 'failure',
    message: 'The Origin of this request may not use the endpoint. The operator names origins in MCP_ALLOWED_ORIGINS.',
  },
};
