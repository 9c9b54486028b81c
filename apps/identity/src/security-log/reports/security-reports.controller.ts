import type { ReportedCaller, SecurityReport } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, inTransaction, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import { appendEntries } from '../chain/append-entries.js';
import { chainOf, type Actor, type SecurityFact } from '../chain/entry.js';
import { knownAccounts } from './known-accounts.sql.js';
import { AdmittedChangeRequest, SecurityReports } from './security-reports.request.js';

const ADMIN_ROUTE = /^[A-Z]+ \/admin\/v1\//;

@Controller()
export class SecurityReportsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes a change that the gateway passes on once it is written. One that is sent again is written once. */
  @Post('internal/security-log::admit')
  @HttpCode(200)
  @AllowCallers('gateway')
  async admit(@Body() body: unknown): Promise<Record<string, never>> {
    const change = requireValid(AdmittedChangeRequest, body);
    const { entryId, caller, route, path, requestId, clientAddress, userAgent } = change;
    const fact: SecurityFact = {
      entryId,
      action: 'change.requested',
      ...subjectOf(change, await knownAccounts(this.pool, [change])),
      actor: actorOf(caller, route),
      object: { type: 'route', id: route },
      occurrences: 1,
      requestId,
      // A path holds whatever the caller put into it.
      details: { clientAddress, path, ...(userAgent === undefined ? {} : { userAgent }) },
    };
    await inTransaction(this.pool, (tx) => appendEntries(tx, [fact], this.clock.nowMs(), 'again'));
    return {};
  }

  /** Takes the refusals of the gateway and the services behind it, and outcomes. A report that is sent again is written once. */
  // The router takes `::` for a literal colon.
  @Post('internal/security-log::report')
  @HttpCode(200)
  @AllowCallers('gateway')
  async report(@Body() body: unknown): Promise<Record<string, never>> {
    const { reports } = requireValid(SecurityReports, body);
    const chains = new Map<string, SecurityFact[]>();
    const accounts = await knownAccounts(this.pool, reports);
    for (const fact of reports.map((report) => toFact(report, accounts)))
      chains.set(chainOf(fact), [...(chains.get(chainOf(fact)) ?? []), fact]);
    // One transaction holds the end of one chain, so that two replicas never wait for each other.
    for (const facts of chains.values()) {
      await inTransaction(this.pool, (tx) => appendEntries(tx, facts, this.clock.nowMs(), 'again'));
    }
    return {};
  }
}

const actions = {
  forbidden: 'request.forbidden',
  sign_in_failed: 'sign_in.failed',
  answered: 'change.answered',
} as const satisfies Record<SecurityReport['kind'], string>;

function toFact(report: SecurityReport, accounts: ReadonlySet<string>): SecurityFact {
  const { entryId, kind, occurrences, caller, route, reason, requestId, clientAddress } = report;
  const told = {
    entryId,
    action: actions[kind],
    occurrences,
    ...objectOf(report),
    ...(reason === undefined ? {} : { reason }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(clientAddress === undefined ? {} : { details: { clientAddress } }),
  };
  if (caller === undefined) return { ...told, actor: { type: 'anonymous' } };
  // Who is refused is no operator, and it has happened to nobody else.
  if (kind !== 'answered') return { ...told, accountId: caller.accountId, actor: actorOf(caller, '') };
  return { ...told, ...subjectOf({ ...report, caller }, accounts), actor: actorOf(caller, route ?? '') };
}

function objectOf({ admittedId, route }: Pick<SecurityReport, 'admittedId' | 'route'>): Pick<SecurityFact, 'object'> {
  if (admittedId !== undefined) return { object: { type: 'security_log_entry', id: admittedId } };
  return route === undefined ? {} : { object: { type: 'route', id: route } };
}

/** The account that a path names; without one, an account changes what is its own, and an operator the deployment. */
function subjectOf(
  {
    accountId,
    caller,
    route = '',
  }: { readonly accountId?: string; readonly caller: ReportedCaller; readonly route?: string },
  accounts: ReadonlySet<string>,
): Pick<SecurityFact, 'accountId'> {
  if (accountId !== undefined && accounts.has(accountId)) return { accountId };
  return ADMIN_ROUTE.test(route) ? {} : { accountId: caller.accountId };
}

function actorOf(
  { accountId, apiKeyId, oauthClientId: clientId, credentialType }: ReportedCaller,
  route: string,
): Actor {
  return {
    type: ADMIN_ROUTE.test(route) ? 'operator' : 'account',
    accountId,
    credentialType,
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(clientId === undefined ? {} : { clientId }),
  };
}
