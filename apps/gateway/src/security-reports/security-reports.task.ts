import type { SecurityReport, SecurityReportRequest } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, LOGGER, Periodic, postJson, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { GatewayMetrics } from '../metrics.js';
import { gatewayRoutes } from '../routes/routes.js';
import { CLIENTS } from '../tokens.js';
import { FoldedRefusals, type Refusal } from './fold-refusals.js';
import { callerOf, routeOf } from './told-request.js';

const PATH = '/internal/security-log:report';
const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 2_000;
/** Milliseconds that the last report may take: whoever stops does not wait for identity. */
const LEAVE_TIMEOUT_MS = 500;
/** Callers and routes that are counted apart in one minute; outcomes that wait, too. */
const MAX_OPEN = 5_000;
/** Reports of one request. */
const MAX_REPORTS = 200;

/** These say nothing of what was sent: its keys or its release do not fit yet, or it has no time. */
const passing: readonly number[] = [401, 403, 404, 408, 429];
/** Whether identity will never take what it answered so. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !passing.includes(status);

const scopes = new Map(gatewayRoutes.map(({ method, path, scope }) => [`${method} ${path}`, scope]));

/**
 * Tells identity what was answered 403, by whichever service, how often 401, and what became of admitted changes, for the
 * security log. A request never waits for it; a replica that is killed forgets the last second, and of a flood the last minute.
 */
@Injectable()
export class SecurityReportsTask implements BeforeApplicationShutdown {
  private readonly refusals = new FoldedRefusals(MAX_OPEN);
  private readonly outcomes: SecurityReport[] = [];
  /** Taken and not yet confirmed. */
  private waiting: SecurityReport[] = [];

  constructor(
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'identity'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GatewayMetrics) private readonly metrics: GatewayMetrics,
  ) {}

  answered(request: FastifyRequest, status: number): void {
    if (status !== 403 && status !== 401) return;
    const refusal: Refusal = status === 401 ? { kind: 'sign_in_failed' } : forbidden(request);
    if (!this.refusals.add(refusal, this.clock.nowMs())) this.metrics.securityReportsDropped.inc();
  }

  /** Tells what became of an admitted change. Each has an entry of its own. */
  outcome(report: SecurityReport): void {
    if (this.outcomes.length >= MAX_OPEN) this.metrics.securityReportsDropped.inc();
    else this.outcomes.push(report);
  }

  /** Reports that identity has neither confirmed nor refused are sent again, before anything else. */
  @Periodic({ name: 'security reports', everyMs: INTERVAL_MS })
  async report(): Promise<void> {
    for (;;) {
      if (this.waiting.length === 0) this.waiting = this.due();
      if (this.waiting.length === 0) return;
      await this.send(this.waiting, TIMEOUT_MS);
      this.waiting = [];
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const last = [...this.waiting, ...this.due(true)].slice(0, MAX_REPORTS);
    if (last.length === 0) return;
    await this.send(last, LEAVE_TIMEOUT_MS).catch((err: unknown) => {
      this.logger.warn({ err, reports: last.length }, 'the last reports are missing in the security log');
    });
  }

  private due(atOnce = false): SecurityReport[] {
    const outcomes = this.outcomes.splice(0, MAX_REPORTS);
    return [...outcomes, ...this.refusals.take(this.clock.nowMs(), MAX_REPORTS - outcomes.length, atOnce)];
  }

  private async send(reports: readonly SecurityReport[], timeoutMs: number): Promise<void> {
    const request: SecurityReportRequest = { reports };
    const { status } = await postJson(this.clients.identity, PATH, request, { timeoutMs, repeatable: true });
    if (isRefusal(status)) {
      // Sent again it would be refused again, and keep back all that follows.
      this.metrics.securityReportsDropped.inc(reports.length);
      this.logger.error({ status, reports: reports.length }, 'identity refuses reports for the security log');
    } else if (status !== 200) throw new Error(`identity answered ${status} to a report for the security log`);
  }
}

function forbidden(request: FastifyRequest): Refusal {
  const route = routeOf(request);
  const account = request.authenticated?.account;
  const caller = callerOf(request);
  const scope = scopes.get(route);
  const lacks = account !== undefined && scope !== undefined && !account.scopes.includes(scope);
  return {
    kind: 'forbidden',
    route,
    reason: lacks ? `insufficient_scope:${scope}` : 'forbidden',
    requestId: request.id,
    clientAddress: request.ip,
    ...(caller === undefined ? {} : { caller }),
  };
}
