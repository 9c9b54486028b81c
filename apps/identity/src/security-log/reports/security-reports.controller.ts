import type { SecurityReport } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, inTransaction, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import { appendEntries } from '../chain/append-entries.js';
import { chainOf, type SecurityFact } from '../chain/entry.js';
import { SecurityReports } from './security-reports.request.js';

@Controller()
export class SecurityReportsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes the refusals of the gateway and the services behind it. A report that is sent again is written once. */
  // The router takes `::` for a literal colon.
  @Post('internal/security-log::report')
  @HttpCode(200)
  @AllowCallers('gateway')
  async report(@Body() body: unknown): Promise<Record<string, never>> {
    const { reports } = requireValid(SecurityReports, body);
    const chains = new Map<string, SecurityFact[]>();
    for (const fact of reports.map(toFact)) chains.set(chainOf(fact), [...(chains.get(chainOf(fact)) ?? []), fact]);
    // One transaction holds the end of one chain, so that two replicas never wait for each other.
    for (const facts of chains.values()) {
      await inTransaction(this.pool, (tx) => appendEntries(tx, facts, this.clock.nowMs(), 'again'));
    }
    return {};
  }
}

function toFact({
  entryId,
  kind,
  occurrences,
  caller,
  route,
  reason,
  requestId,
  clientAddress,
}: SecurityReport): SecurityFact {
  const told = {
    entryId,
    action: kind === 'forbidden' ? 'request.forbidden' : 'sign_in.failed',
    occurrences,
    ...(route === undefined ? {} : { object: { type: 'route', id: route } }),
    ...(reason === undefined ? {} : { reason }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(clientAddress === undefined ? {} : { details: { clientAddress } }),
  };
  if (caller === undefined) return { ...told, actor: { type: 'anonymous' } };
  const { accountId, apiKeyId, oauthClientId: clientId, credentialType } = caller;
  return {
    ...told,
    accountId,
    actor: {
      type: 'account',
      accountId,
      credentialType,
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      ...(clientId === undefined ? {} : { clientId }),
    },
  };
}
