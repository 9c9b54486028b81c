import type { ContextName, PayloadLookupRequest, PayloadLookupResponse } from '@capability-router/contracts';
import type { ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { BILLING_CLIENTS } from '../tokens.js';
import type { UsageEventRow } from './usage-event-view.js';

/** Ids in one request to an owner of payloads. */
const MAX_IDS_PER_LOOKUP = 500;
const LOOKUP_TIMEOUT_MS = 5_000;

/**
 * Payloads stay with the service that took the request, in tables that can be erased; billing asks for them only when
 * details are shown. What its owner cannot give (erased, expired, owner down) is left out of the row.
 */
@Injectable()
export class PayloadReader {
  constructor(@Inject(BILLING_CLIENTS) private readonly clients: ServiceClients) {}

  async read(accountId: string, rows: readonly UsageEventRow[]): Promise<PayloadLookupResponse['payloads']> {
    const found: Record<string, PayloadLookupResponse['payloads'][string]> = {};
    for (const owner of ['execution', 'registry'] as const) {
      const ids = rows.filter((row) => row.source_system === owner).map((row) => row.id);
      for (let start = 0; start < ids.length; start += MAX_IDS_PER_LOOKUP) {
        Object.assign(
          found,
          await this.lookup(owner, { accountId, usageEventIds: ids.slice(start, start + MAX_IDS_PER_LOOKUP) }),
        );
      }
    }
    return found;
  }

  private async lookup(owner: ContextName, request: PayloadLookupRequest): Promise<PayloadLookupResponse['payloads']> {
    try {
      const answer = await this.clients[owner].request({
        method: 'POST',
        path: '/internal/payloads:lookup',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        timeoutMs: LOOKUP_TIMEOUT_MS,
      });
      return answer.status === 200 ? (JSON.parse(answer.body.toString('utf8')) as PayloadLookupResponse).payloads : {};
    } catch {
      return {};
    }
  }
}
