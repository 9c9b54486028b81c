import { API_CONTRACT_VERSION, API_PREFIX, IDENTITY_BODY_LIMIT_BYTES } from '@capability-router/contracts';
import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Admission } from './admission/admission.js';
import type { GatewayConfig } from './config/gateway-env.js';
import { finishError } from './errors/finish-error.js';
import { Forwarding } from './forward/forwarding.js';
import { acceptStreams, StreamForwarding } from './forward/stream-forwarding.js';
import { McpRoute } from './mcp/mcp-route.js';
import { acceptForms } from './requests/form-body.js';
import { acceptJsonBytes } from './requests/json-body.js';
import { declareRequestMembers } from './requests/request-members.js';
import type { GatewayRoute } from './routes/gateway-route.js';
import { gatewayRoutes } from './routes/routes.js';
import { AdmittedChanges } from './security-reports/admitted-changes.js';
import { SecurityReportsTask } from './security-reports/security-reports.task.js';
import { PUBLIC_URL } from './tokens.js';
import { mountConsole } from './well-known/console/console-routes.js';
import { LLMS_TXT_PATH, LLMS_TXT_TYPE, llmsTxt } from './well-known/llms-txt.js';
import {
  AUTHORIZATION_SERVER_PATH,
  authorizationServerMetadata,
  MCP_RESOURCE_PATH,
  mcpResourceMetadata,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadata,
} from './well-known/metadata.js';
import { openApiDocument, openApiPaths } from './well-known/openapi.js';
import { mountReference } from './well-known/reference/reference-routes.js';

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
    @Inject(McpRoute) private readonly mcp: McpRoute,
    @Inject(SecurityReportsTask) private readonly securityReports: SecurityReportsTask,
    @Inject(AdmittedChanges) private readonly changes: AdmittedChanges,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'externalIssuers' | 'bodyLimitBytes'>,
  ) {}

  /** Nothing else is reachable: internal paths have no route here. */
  mountOn(server: FastifyInstance): void {
    declareRequestMembers(server);
    acceptJsonBytes(server);
    server.addHook('onResponse', (request, reply, done) => {
      this.securityReports.answered(request, reply.statusCode);
      done();
    });
    server.addHook('onSend', (request, reply, payload, done) => done(null, finishError(request, reply, payload)));
    server.get(`${API_PREFIX}/meta`, (_request, reply) => reply.send({ contract_version: API_CONTRACT_VERSION }));
    this.mountMetadata(server);
    mountReference(server);
    mountConsole(server);
    this.mcp.mountOn(server);
    for (const route of gatewayRoutes) if (route.streams !== true && route.form !== true) this.mount(server, route);
    server.register((scope, _options, done) => {
      acceptStreams(scope);
      for (const route of gatewayRoutes) if (route.streams === true) this.mountStream(scope, route);
      done();
    });
    server.register((scope, _options, done) => {
      acceptForms(scope);
      for (const route of gatewayRoutes) if (route.form === true) this.mount(scope, route);
      done();
    });
  }

  /** Clients of OAuth read these first, and models the text. */
  private mountMetadata(server: FastifyInstance): void {
    const text = llmsTxt(this.publicUrl);
    server.get(LLMS_TXT_PATH, (_request, reply) => reply.type(LLMS_TXT_TYPE).send(text));
    for (const path of openApiPaths) {
      server.get(path, async (_request, reply) => reply.type('application/json').send(await openApiDocument(path)));
    }
    const documents = {
      [AUTHORIZATION_SERVER_PATH]: authorizationServerMetadata(this.publicUrl),
      [PROTECTED_RESOURCE_PATH]: protectedResourceMetadata(this.publicUrl, this.config.externalIssuers),
      [MCP_RESOURCE_PATH]: mcpResourceMetadata(this.publicUrl, this.config.externalIssuers),
    };
    for (const [path, document] of Object.entries(documents))
      server.get(path, (_request, reply) => reply.send(document));
  }

  private mountStream(scope: FastifyInstance, route: GatewayRoute): void {
    scope.route({
      method: route.method,
      url: route.path,
      config: { streamsBody: true },
      onRequest: [this.admission.to(route), ...this.changes.of(route)],
      handler: this.streamForwarding.to(route),
    });
  }

  private bodyLimitOf({ service }: GatewayRoute): number {
    const { bodyLimitBytes } = this.config;
    return service === 'identity' ? Math.min(bodyLimitBytes, IDENTITY_BODY_LIMIT_BYTES) : bodyLimitBytes;
  }

  private mount(server: FastifyInstance, route: GatewayRoute): void {
    server.route({
      method: route.method,
      url: route.path,
      bodyLimit: this.bodyLimitOf(route),
      onRequest: [this.admission.to(route), ...this.changes.of(route)],
      handler: this.forwarding.to(route),
      ...(changesRights(route) ? { preHandler: this.admission.afterBodyOf(route) } : {}),
    });
  }
}

/** Whoever has such a scope gives and takes rights, so that a credential that has ended may not even finish asking. */
const changesRights = ({ method, scope }: GatewayRoute): boolean =>
  method !== 'GET' && (scope === 'manage' || scope === 'admin');
