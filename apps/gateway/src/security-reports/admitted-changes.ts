import { randomUUID } from 'node:crypto';
import type { AdmittedChange } from '@capability-router/contracts';
import { isAccountId } from '@capability-router/kernel';
import { LOGGER, postJson, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { notForwarded } from '../errors/upstream-failure.js';
import type { GatewayRoute } from '../routes/gateway-route.js';
import { CLIENTS } from '../tokens.js';
import { SecurityReportsTask } from './security-reports.task.js';
import { callerOf, routeOf } from './told-request.js';

const PATH = '/internal/security-log:admit';
const TIMEOUT_MS = 2_000;
/** Characters; what is beyond is cut off. */
const MAX_TEXT_LENGTH = 200;

/** Facts of identity have their entries from identity itself, in the transaction that makes them. */
const isChange = ({ method, scope, service }: GatewayRoute): boolean =>
  method !== 'GET' && method !== 'HEAD' && (scope === 'admin' || scope === 'manage') && service !== 'identity';

/**
 * Puts into the security log who asks for a change in a service other than identity, before that service hears of it: no
 * grant, refund or credential is without an entry that says who wanted it. What was answered follows as an entry of its own.
 */
@Injectable()
export class AdmittedChanges {
  constructor(
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'identity'>,
    @Inject(SecurityReportsTask) private readonly reports: SecurityReportsTask,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The hooks of a route that come after admission: none where it changes nothing. */
  of(route: GatewayRoute): readonly ((request: FastifyRequest, reply: FastifyReply) => Promise<unknown>)[] {
    return isChange(route) ? [(request, reply) => this.admit(route, request, reply)] : [];
  }

  private async admit(route: GatewayRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const caller = callerOf(request);
    if (caller === undefined) throw new Error('a change is asked for by nobody');
    const { accountId } = request.params as { readonly accountId?: string };
    const userAgent = request.headers['user-agent'];
    const change: AdmittedChange = {
      entryId: randomUUID(),
      caller,
      route: routeOf(request),
      path: request.url.replace(/\?.*$/s, '').slice(0, MAX_TEXT_LENGTH),
      // A path that names no account is told by its path alone; its service says that there is none.
      ...(accountId === undefined || !isAccountId(accountId) ? {} : { accountId }),
      requestId: request.id,
      clientAddress: request.ip,
      ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, MAX_TEXT_LENGTH) }),
    };
    const status = await this.record(change);
    // Identity of the release before has no such entries; it is there for as long as an update takes.
    if (status !== 200 && status !== 404) {
      const { status: refused, headers, body } = notForwarded(route);
      return reply.code(refused).headers(headers).send(body);
    }
    // Also where the caller goes before it is answered.
    if (status === 200) reply.raw.once('close', () => this.tellOutcome(change, reply));
    return undefined;
  }

  /** The status that identity answered; undefined where it did not. */
  private async record(change: AdmittedChange): Promise<number | undefined> {
    const { requestId } = change;
    const options = { timeoutMs: TIMEOUT_MS, repeatable: true };
    try {
      const { status } = await postJson(this.clients.identity, PATH, change, options);
      if (status !== 200) this.logger.error({ status, requestId }, 'a change is missing in the security log');
      return status;
    } catch (err) {
      this.logger.error({ err, requestId }, 'a change could not be put into the security log');
      return undefined;
    }
  }

  private tellOutcome({ entryId, caller, route, accountId, requestId }: AdmittedChange, reply: FastifyReply): void {
    this.reports.outcome({
      entryId: randomUUID(),
      kind: 'answered',
      occurrences: 1,
      caller,
      admittedId: entryId,
      route,
      reason: reply.raw.writableFinished ? `status_${reply.statusCode}` : 'caller_gone',
      requestId,
      ...(accountId === undefined ? {} : { accountId }),
    });
  }
}
