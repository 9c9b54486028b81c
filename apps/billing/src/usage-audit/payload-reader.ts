import type { PayloadLookupRequest, PayloadLookupResponse } from '@capability-router/contracts';
import type { ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { SERVICE_CLIENTS } from '../tokens.js';
import type { UsageEventRow } from './usage-event-view.js';

/** Ids in one request to an owner of payloads; what it may answer at most is held besides the budget. */
const MAX_IDS_PER_LOOKUP = 100;
/** UTF-8 bytes of payloads in one answer. */
export const MAX_DETAIL_BYTES = 8 * 1024 * 1024;
/** Milliseconds for all look-ups of one answer. */
const LOOKUPS_TIMEOUT_MS = 5_000;

const owners = ['execution', 'registry'] as const;
type Owner = (typeof owners)[number];
type Payloads = PayloadLookupResponse['payloads'];
type Row = Pick<UsageEventRow, 'id' | 'source_system'>;

/**
 * Payloads stay with the service that took the request, in tables that can be erased; billing asks for them only when
 * details are shown. What its owner cannot give (erased, expired, owner down) is left out of the row.
 */
@Injectable()
export class PayloadReader {
  constructor(@Inject(SERVICE_CLIENTS) private readonly clients: Pick<ServiceClients, Owner>) {}

  /**
   * From the first row on, until `MAX_DETAIL_BYTES` are found or the time is over; the rows after that get none. An
   * owner that failed is not asked again.
   * @param timeoutMs for all look-ups together
   */
  async read(accountId: string, rows: readonly Row[], timeoutMs = LOOKUPS_TIMEOUT_MS): Promise<Payloads> {
    const deadline = performance.now() + timeoutMs;
    const asked = new Set<Owner>(owners);
    const found: Record<string, Payloads[string]> = {};
    let bytes = 0;
    for (let start = 0; start < rows.length && asked.size > 0; start += MAX_IDS_PER_LOOKUP) {
      const chunk = rows.slice(start, start + MAX_IDS_PER_LOOKUP);
      const leftMs = Math.floor(deadline - performance.now());
      if (leftMs <= 0) break;
      const payloads = await this.lookUpChunk(accountId, chunk, asked, leftMs);
      for (const { id } of chunk) {
        const payload = payloads[id];
        if (payload === undefined) continue;
        bytes += Buffer.byteLength(JSON.stringify(payload));
        if (bytes > MAX_DETAIL_BYTES) return found;
        found[id] = payload;
      }
    }
    return found;
  }

  /** Asks the owners side by side; takes one that failed out of `asked`. */
  private async lookUpChunk(
    accountId: string,
    rows: readonly Row[],
    asked: Set<Owner>,
    timeoutMs: number,
  ): Promise<Payloads> {
    const answers = await Promise.all(
      [...asked].map(async (owner) => {
        const usageEventIds = rows.filter((row) => row.source_system === owner).map((row) => row.id);
        if (usageEventIds.length === 0) return {};
        const payloads = await this.lookUp(owner, { accountId, usageEventIds }, timeoutMs);
        if (payloads === undefined) asked.delete(owner);
        return payloads ?? {};
      }),
    );
    return Object.assign({}, ...answers) as Payloads;
  }

  private async lookUp(owner: Owner, request: PayloadLookupRequest, timeoutMs: number): Promise<Payloads | undefined> {
    try {
      const answer = await this.clients[owner].request({
        method: 'POST',
        path: '/internal/payloads:lookup',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        timeoutMs,
        repeatable: true,
      });
      if (answer.status !== 200) return undefined;
      return (JSON.parse(answer.body.toString('utf8')) as PayloadLookupResponse).payloads;
    } catch {
      return undefined;
    }
  }
}
